import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import { usesSetting } from '../monitor-types.ts'
import type { Option } from './option.ts'

/** Sends requests over HTTP. */
const asks: Option['has'] = (type) => usesSetting(type, 'http_method')

/** Options of the way to the target. */
export const CONNECTION = {
  ip_version: {
    schema: z.literal([4, 6]),
    description: 'Connects over this version of IP only, 4 or 6.',
    group: 'connection',
    label: phrase('IP version'),
    hint: phrase('Connects over IPv4 or IPv6 only. Without a value, over whichever connects first.'),
    has: asks,
    default: null,
    clashes: (value, { url }) => {
      const written = versionOf(url)
      return written === null || written === value
        ? []
        : [
            {
              at: [],
              message: said('must be {version} or left out: the URL has an address of IPv{version}', {
                version: written,
              }),
            },
          ]
    },
  },
} as const satisfies Record<string, Option>

/** The version of the address in a URL; null for a name. */
function versionOf(url: string | null): 4 | 6 | null {
  const host = (url && URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')) ?? ''
  if (!ipaddr.isValid(host)) return null
  return ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4
}
