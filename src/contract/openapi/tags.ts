/** The groups of operations, in the order in which documents show them. */
export const TAGS = {
  Monitors: 'Scheduled checks of a URL, a certificate, a TCP port, a host, or a job that pings the service.',
  Checks: 'Results of the runs of a monitor. Read only.',
  Incidents: 'Periods in which a monitor was down. Read only.',
  'Notification contacts':
    'Receivers of alerts. A monitor with contacts alerts only those; one without alerts all contacts of the team.',
  Team: "The team's plan, its limits and usage.",
  Heartbeats: 'Endpoints for jobs. No token header: the token in the path is the credential.',
  'Manual monitors':
    'Endpoints that switch monitors. No token header: the token in the path is the credential.',
  Badges:
    'The state of a monitor, for any web page. No token: the id is random and serves as the credential.',
} as const

export type Tag = keyof typeof TAGS
