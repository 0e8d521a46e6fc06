/** Opens recordings and reads them on one timeline. */
export function ReviewWorkspace() {
  return null;
}
