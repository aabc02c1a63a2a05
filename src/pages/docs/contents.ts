import type { DocsFacts } from './facts.ts'
import { statusesText } from './problems.ts'
import { referenceText } from './reference.ts'
import { DOCUMENTED_GROUPS, gamesText, typesAbout, typesText } from './type-pages.ts'

export type DocsEntry = {
  /** Relative to the documentation's address; '' is its first page. */
  path: string
  /** The text's file in the project, even if it is generated: links between texts use these names. */
  file: string
  /** Generates the text if no file contains it. */
  generate?: (facts: DocsFacts) => string
  /** A one-line summary. */
  about: string
}

/** Every page, in reading order. The title of a page is the first heading of its text. */
export const CONTENTS: { group: string; entries: DocsEntry[] }[] = [
  {
    group: 'Start',
    entries: [
      page('index', 'An introduction to Upbeat and its documentation.'),
      page('first-monitor', 'Create an account, a token and a monitor, and see its first check.'),
      page('dashboard', 'The screens, roles, keyboard and browsers.'),
      page('people', 'Roles, invitations, API tokens and the audit log.'),
      page(
        'moving-in',
        'Migrate from Uptime Kuma, Healthchecks, Gatus or UptimeRobot, and import Postman collections.',
      ),
      page('troubleshooting', 'Why no alert came, why a check fails, and what to do about it.'),
      page('not-available', 'Things that Upbeat does not have, and what to use instead.'),
    ],
  },
  {
    group: 'Monitors',
    entries: [
      page('monitors', 'The types of monitors, their settings, statuses, incidents and uptime.'),
      ...DOCUMENTED_GROUPS.map((group) =>
        page(`monitors-${group}`, typesAbout(group), () => typesText(group)),
      ),
      page('games', 'Every game whose servers a monitor can ask.', gamesText),
      page(
        'confirmation',
        'Retry a failed check before an alert, also from other regions; recover after several checks.',
      ),
      page('failures', 'The result of a check for each failure, with the exact wording of its cause.'),
      page('heartbeats', 'Monitor jobs that call after each run: cron, systemd, Kubernetes, GitHub Actions.'),
      page(
        'pings-of-other-tools',
        'Use clients of Healthchecks and push monitors of Uptime Kuma by changing a URL.',
      ),
      page('tags', 'Find, group and change many monitors, servers and sites by key and value.'),
      page('maintenance', 'Planned work without alarms: windows, a switch for deployments, a calendar.'),
      page(
        'reports',
        'Uptime, incidents and response times of a month: to read, print or send; lists as CSV files.',
      ),
      page('badges', 'Status, uptime and response time on any page.'),
    ],
  },
  {
    group: 'Alerts',
    entries: [
      page(
        'alerts',
        'E-mail, chats, push services, pagers, SMS, webhooks and browsers; retries and the delivery log.',
      ),
      page('webhooks', 'The payload of a webhook, and how to verify its signature in four languages.'),
      page(
        'mail',
        'Every mail that the service sends, who agreed to it, and the limits per team, person and address.',
      ),
    ],
  },
  {
    group: 'On-call',
    entries: [
      page(
        'on-call',
        'Acknowledge incidents, reminders, escalation policies, drills, and who is on call when.',
      ),
    ],
  },
  {
    group: 'Status pages',
    entries: [
      page(
        'status-pages',
        'Pages for visitors, and what programs read from them: Statuspage JSON, feeds, a calendar.',
      ),
    ],
  },
  {
    group: 'Servers and sites',
    entries: [
      page('servers', 'Machines that report: the agent, thresholds, incidents and alerts.'),
      page(
        'servers-inputs',
        'Reports of servers from OpenTelemetry, Telegraf, Proxmox, Prometheus, vmagent and Glances.',
      ),
      page(
        'sites',
        'Whole websites: home page, certificate, DNS, domain, broken links, mixed content, sitemap.',
      ),
      page(
        'crawler',
        'UpbeatBot, for owners of websites that it visits: what it asks for, how often, how to stop it.',
      ),
    ],
  },
  {
    group: 'API',
    entries: [
      page('api', 'Tokens, limits, pages, errors and versions of the JSON API.'),
      page('reference', 'Every operation with its fields, bounds, answers and an example.', referenceText),
      page('openapi', 'A machine-readable description of the API, and a client generated from it.'),
      page('problems', 'Every status and problem type that the API answers with.', statusesText),
      page('command-line', 'Every command, its options and exit statuses.'),
      page('deploy-gate', 'Continue a pipeline only when the service is up.'),
      page('ai-agents', 'MCP for AI assistants, llms.txt and OpenAPI for agents that write programs.'),
      page('mcp', 'Connect Claude, Cursor, VS Code, Codex and others, and the eleven tools that they get.'),
      page('oauth', 'Connect an AI client by signing in, without a token.'),
      page('changelog', 'Changes and deprecations by version, with a feed.'),
    ],
  },
  {
    group: 'Operate',
    entries: [
      page('self-hosting', 'systemd, reverse proxies, backups, upgrades and keys.'),
      page('containers', 'The image, compose files, Kubernetes manifests, and ping in containers.'),
      page('configuration', 'Every environment variable, and the plans.'),
      page('accounts', 'Signing in: passwords, passkeys, a provider of your own, open sign-up.'),
      page('scaling-out', 'Several processes, several regions, and a database elsewhere.'),
      page(
        'high-availability',
        'Three machines with Patroni and etcd: failover, planned work, point-in-time recovery.',
      ),
      page('capacity', 'Measured needs of 1,000 to 100,000 monitors, and the arithmetic up to ten million.'),
      page('remote-probes', 'Checks from places that cannot reach the database, over HTTPS with a token.'),
      page('postgresql', 'A PostgreSQL server of your own: address, TLS, failover, poolers, moving there.'),
      page('prometheus', 'Metrics of the instance and of a team, alert rules and Grafana dashboards.'),
      page('benchmarks', 'Measured figures and the command that produces them.'),
      page('fuzzing', 'Nearly right requests to every route, and what must not come of them.'),
      page('hostile', 'Four hundred faults of processes, network, disk and clocks, and their outcome.'),
    ],
  },
]

/** One page per problem `type`, at exactly that address; linked from the page of statuses. */
export const PROBLEM_PAGES: DocsEntry[] = [
  page('problems/monitor-limit-reached', 'Status 402: the plan allows no more monitors.'),
  page('problems/validation-failed', 'Status 422: the body or the query does not fit.'),
]

/** The name `monitors` gives the page `/monitors` of the file `docs/monitors.md`. */
function page(name: string, about: string, generate?: DocsEntry['generate']): DocsEntry {
  return {
    path: name === 'index' ? '' : `/${name}`,
    file: name === 'changelog' ? 'CHANGELOG.md' : `docs/${name}.md`,
    about,
    ...(generate && { generate }),
  }
}

/** The path of a page's Markdown, relative to the documentation's address. */
export function textPath(path: string): string {
  return `${path || '/index'}.md`
}
