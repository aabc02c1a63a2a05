import { hideFields } from '../secret-fields.ts'

/**
 * The settings of a monitor that are secrets. The database holds them sealed; messages and diffs mask them: the whole
 * value, or the values of a record whose names are shown.
 */
export const SECRET_SETTINGS = {
  request_headers: 'values',
  password: 'whole',
} as const satisfies Record<string, 'whole' | 'values'>
export type SecretSetting = keyof typeof SECRET_SETTINGS

hideFields(
  Object.entries(SECRET_SETTINGS).map(([name, masked]) => (masked === 'whole' ? name : `${name}\\..*`)),
)

export function secrecyOf(setting: string): 'whole' | 'values' | null {
  return Object.hasOwn(SECRET_SETTINGS, setting) ? SECRET_SETTINGS[setting as SecretSetting] : null
}
