/** What operations are about, in the order in which documents show them. */
export const TAGS = {
  Monitors: 'Scheduled checks of a URL, a certificate, a TCP port, a host, or a job that pings the service.',
  Checks: 'Results of the runs of a monitor. Read only.',
  Incidents: 'Periods in which a monitor was down. Read only.',
  'Notification contacts':
    'Where alerts go. A monitor with contacts alerts only those; one without alerts every contact of the team.',
  Team: "The team's plan, its limits and usage.",
  Heartbeats: 'What jobs request. No token header: the token in the path is the credential.',
  Badges: 'How a monitor does, for any page. No token: the id is random, and all there is to know.',
} as const

export type Tag = keyof typeof TAGS
