import { join } from "node:path";
import { z } from "zod";
import type { Home } from "../../platform/paths";
import { openSettings, type SettingsFile } from "../../platform/settings-file";

const schema = 1;
const Offset = z.tuple([z.number(), z.number(), z.number()]).readonly();

/** What is kept of the link screens between starts. Whether other stations may command is not: it is given anew each time. */
const LinkSettings = z.strictObject({
  schema: z.literal(schema),
  forward_to: z.string().nullable(),
  accept_unsigned: z.boolean(),
  /** From a vehicle's local frame to the site; not used with the embedded vehicle, whose local frame is the site. */
  site: z.strictObject({ yaw_rad: z.number(), offset_enu_m: Offset }),
  relay: z.strictObject({ source: z.string().nullable(), yaw_rad: z.number(), offset_enu_m: Offset }),
});
export type LinkSettings = z.infer<typeof LinkSettings>;

export const defaultLinkSettings: LinkSettings = {
  schema,
  forward_to: null,
  accept_unsigned: false,
  site: { yaw_rad: 0, offset_enu_m: [0, 0, 0] },
  relay: { source: null, yaw_rad: 0, offset_enu_m: [0, 0, 0] },
};

export function openLinkSettings(home: Home): SettingsFile<LinkSettings> {
  return openSettings<LinkSettings>({
    path: join(home.root, "link.json"),
    version: schema,
    schema: LinkSettings,
    defaults: defaultLinkSettings,
    migrations: {},
  });
}
