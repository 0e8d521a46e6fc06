/**
 * The vehicle as an upright cylinder about its body centre: the rotor discs' outer radius and the height from skids to rotors.
 * Turning in place does not change it, tilting in normal flight (under 20 degrees) stays inside the clearance.
 */
export interface VehicleShape {
  readonly radius_m: number;
  readonly half_height_m: number;
}
