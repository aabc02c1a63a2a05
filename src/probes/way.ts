import type { Way } from '../net/way.ts'
import type { WebSettings } from './hop.ts'

/** The way to the target that the options of a monitor say. */
export function wayOf({ options }: WebSettings): Way {
  return options?.ip_version ? { version: options.ip_version } : {}
}
