import { statusesText } from './docs-problems.ts'
import { referenceText } from './docs-reference.ts'

/** What generated texts speak of. */
export type DocsFacts = { siteUrl: string; baseUrl: string; docsUrl: string; version: string }

export type DocsEntry = {
  /** Below the documentation's address; '' is its first page. */
  path: string
  /** Where the text stands in the project, or would: links between texts name these files. */
  file: string
  /** Makes the text, where no file holds it. */
  generate?: (facts: DocsFacts) => string
  /** What a reader finds there, in one line. */
  about: string
}

/** Every page there is, in reading order. Its title is the first heading of its text. */
export const CONTENTS: { group: string; entries: DocsEntry[] }[] = [
  {
    group: 'Start',
    entries: [
      { path: '', file: 'docs/index.md', about: 'What Upbeat does and where to read on.' },
      {
        path: '/first-monitor',
        file: 'docs/first-monitor.md',
        about: 'From nothing to a watched address: account, token, monitor, first check.',
      },
      {
        path: '/dashboard',
        file: 'docs/dashboard.md',
        about: 'The screens, roles, keyboard and browsers.',
      },
    ],
  },
  {
    group: 'Guides',
    entries: [
      {
        path: '/monitors',
        file: 'docs/monitors.md',
        about: 'The six types of monitors, their settings, statuses and incidents.',
      },
      {
        path: '/heartbeats',
        file: 'docs/heartbeats.md',
        about: 'Jobs that report themselves: cron, systemd, Kubernetes, GitHub Actions.',
      },
      {
        path: '/pings-of-other-tools',
        file: 'docs/pings-of-other-tools.md',
        about: 'Clients of Healthchecks and push monitors of Uptime Kuma, by changing an address.',
      },
      {
        path: '/alerts',
        file: 'docs/alerts.md',
        about: 'E-mail, Slack, Discord, Telegram and webhooks; retries and the delivery log.',
      },
      {
        path: '/confirmation',
        file: 'docs/confirmation.md',
        about: 'Failures that other regions see, too, before an alert, and recoveries by several checks.',
      },
      {
        path: '/webhooks',
        file: 'docs/webhooks.md',
        about: 'What a webhook receives, and verifying its signature in four languages.',
      },
      {
        path: '/deploy-gate',
        file: 'docs/deploy-gate.md',
        about: 'A pipeline that goes on only when the service is up.',
      },
      {
        path: '/ai-agents',
        file: 'docs/ai-agents.md',
        about: 'MCP for AI assistants, llms.txt and OpenAPI for agents that write programs.',
      },
      {
        path: '/mcp',
        file: 'docs/mcp.md',
        about: 'Connecting Claude, Cursor, VS Code, Codex and others, and the eleven tools that they get.',
      },
      {
        path: '/oauth',
        file: 'docs/oauth.md',
        about: 'Letting an AI client in by a sign-in instead of a token.',
      },
      {
        path: '/badges',
        file: 'docs/badges.md',
        about: 'Status, uptime and response time on any page.',
      },
      {
        path: '/moving-in',
        file: 'docs/moving-in.md',
        about: 'Coming from Uptime Kuma, Healthchecks, Gatus or UptimeRobot.',
      },
      {
        path: '/people',
        file: 'docs/people.md',
        about: 'Roles, invitations, API tokens and the audit log.',
      },
    ],
  },
  {
    group: 'Reference',
    entries: [
      {
        path: '/api',
        file: 'docs/api.md',
        about: 'Tokens, limits, pages, errors and versions of the JSON API.',
      },
      {
        path: '/reference',
        file: 'docs/reference.md',
        generate: referenceText,
        about: 'Every operation with its fields, bounds, answers and an example.',
      },
      {
        path: '/openapi',
        file: 'docs/openapi.md',
        about: 'The API described for programs, and a client made from that.',
      },
      {
        path: '/problems',
        file: 'docs/problems.md',
        generate: statusesText,
        about: 'Every status and problem type that the API answers with.',
      },
      {
        path: '/command-line',
        file: 'docs/command-line.md',
        about: 'Every command, its options and exit statuses.',
      },
      {
        path: '/failures',
        file: 'docs/failures.md',
        about: 'What a check makes of each failure, with the exact wording of its cause.',
      },
      {
        path: '/changelog',
        file: 'CHANGELOG.md',
        about: 'What changed and what will stop working, with a feed.',
      },
    ],
  },
  {
    group: 'Operating',
    entries: [
      {
        path: '/self-hosting',
        file: 'docs/self-hosting.md',
        about: 'systemd, reverse proxies, backups, upgrades and keys.',
      },
      {
        path: '/containers',
        file: 'docs/containers.md',
        about: 'The image, compose files, Kubernetes manifests, and ping in containers.',
      },
      {
        path: '/configuration',
        file: 'docs/configuration.md',
        about: 'Every environment variable, and the plans.',
      },
      {
        path: '/accounts',
        file: 'docs/accounts.md',
        about: 'Signing in: passwords, passkeys, a provider of your own, open sign-up.',
      },
      {
        path: '/scaling-out',
        file: 'docs/scaling-out.md',
        about: 'Several processes, several regions, and a database elsewhere.',
      },
      {
        path: '/remote-probes',
        file: 'docs/remote-probes.md',
        about: 'Checks from places that may not reach the database, over HTTPS with a token.',
      },
      {
        path: '/postgresql',
        file: 'docs/postgresql.md',
        about: 'A PostgreSQL server of your own: address, TLS, failover, poolers, moving there.',
      },
      {
        path: '/prometheus',
        file: 'docs/prometheus.md',
        about: 'Metrics of the instance and of a team, alert rules and Grafana dashboards.',
      },
      {
        path: '/benchmarks',
        file: 'docs/benchmarks.md',
        about: 'Measured figures and the command that gives them.',
      },
      {
        path: '/hostile',
        file: 'docs/hostile.md',
        about: 'Two hundred faults of processes, network, disk and clocks, and what came of them.',
      },
    ],
  },
]

/** At exactly the address of each problem `type`; reached from the page of statuses. */
export const PROBLEM_PAGES: DocsEntry[] = [
  {
    path: '/problems/monitor-limit-reached',
    file: 'docs/problems/monitor-limit-reached.md',
    about: 'Status 402: the plan allows no further monitor.',
  },
  {
    path: '/problems/validation-failed',
    file: 'docs/problems/validation-failed.md',
    about: 'Status 422: the body or the query does not fit.',
  },
]
