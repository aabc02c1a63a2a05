import * as z from 'zod'
import type { PageLink } from './page.ts'

const Address = z.string().optional().catch(undefined)
const Pictures = z
  .array(z.object({ src: Address }).catch({}))
  .optional()
  .catch(undefined)
const Manifest = z.object({
  start_url: Address,
  icons: Pictures,
  screenshots: Pictures,
  shortcuts: z
    .array(z.object({ url: Address, icons: Pictures }).catch({}))
    .optional()
    .catch(undefined),
})

/** The addresses of the manifest of a web app (https://www.w3.org/TR/appmanifest/); none for what is no manifest. */
export function readManifest(text: string): PageLink[] {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return []
  }
  const { data } = Manifest.safeParse(json)
  if (!data) return []
  const { start_url, icons = [], screenshots = [], shortcuts = [] } = data
  const link = (href: string | undefined, use: PageLink['use'], label: string): PageLink[] =>
    href ? [{ href, use, label, isUpgraded: false }] : []
  return [
    ...link(start_url, 'leads', 'start_url'),
    ...icons.flatMap(({ src }) => link(src, 'kept', 'icons')),
    ...screenshots.flatMap(({ src }) => link(src, 'kept', 'screenshots')),
    ...shortcuts.flatMap(({ url, icons: own = [] }) => [
      ...link(url, 'leads', 'shortcuts'),
      ...own.flatMap(({ src }) => link(src, 'kept', 'shortcuts')),
    ]),
  ]
}
