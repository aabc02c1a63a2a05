import { RATE_LIMITS } from '../../core/request-limits.ts'
import { RESOURCE_PATHS } from '../../core/sign-in/oauth.ts'
import { escapeHtml } from '../escape-html.ts'
import { textPath } from './contents.ts'
import type { DocsFacts } from './facts.ts'
import { type DocsText, groupsOf } from './texts.ts'

/** An introduction for AI agents in the format of llmstxt.org: a title, a summary, and lists of links. */
export function llmsText(texts: DocsText[], { siteUrl, baseUrl, docsUrl }: DocsFacts): string {
  const lists = groupsOf(texts).map(([group, members]) => {
    const lines = members.map(
      ({ title, entry }) => `- [${title}](${docsUrl}${textPath(entry.path)}): ${entry.about}`,
    )
    return `## ${group}\n\n${lines.join('\n')}\n`
  })
  return `# Upbeat

> Uptime monitoring for a team: scheduled checks of URLs, page contents, certificates, TCP ports, hosts and jobs,
> incidents, and alerts. Programs use the JSON API at ${baseUrl} with a bearer token; AI assistants use the
> MCP server at ${siteUrl}${RESOURCE_PATHS.mcp} with the same token.

A person creates the token in the dashboard of ${siteUrl}, under Team, API tokens. Times are UTC, errors are problem
documents (RFC 9457), and each user has ${RATE_LIMITS.perUser} requests a minute. Every page below is Markdown; without \`.md\` the same
address is a web page.

## Machine-readable

- [OpenAPI 3.1](${baseUrl}/openapi.json): every operation, schema, bound and problem.
- [Changelog feed](${docsUrl}/changelog.atom): changes and deprecations.

${lists.join('\n')}`
}

export function sitemap(texts: DocsText[], docsUrl: string): string {
  const urls = texts.map(({ entry }) => `<url><loc>${escapeHtml(docsUrl + entry.path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}
