import { TELLING_PATHS } from '../../core/monitors/ping.ts'

/** Keeps crawlers off addresses that tell of a monitor, where following one would report a job that did not run, and off other secrets. */
export function robotsText(docsUrl: string): string {
  const closed = [
    '/api/',
    '/app/',
    '/auth/',
    '/oauth/',
    '/calendars/',
    ...TELLING_PATHS.map((path) => `${path}/`),
  ]
  return `User-agent: *\n${closed.map((path) => `Disallow: ${path}`).join('\n')}\n\nSitemap: ${docsUrl}/sitemap.xml\n`
}
