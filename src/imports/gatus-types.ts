import type { MonitorType } from '../core/monitor.ts'

/** Schemes of an endpoint's URL that have a counterpart here; with a condition on its body http is keyword. */
export const GATUS_TYPES: Record<string, MonitorType> = {
  http: 'http',
  https: 'http',
  tcp: 'tcp',
  icmp: 'icmp',
  tls: 'ssl',
}

const BY_PORT = 'a tcp monitor of its port comes nearest'

/** Why the others have none. */
export const GATUS_REASONS: Record<string, string> = {
  dns: 'there are no monitors of DNS records: an http or icmp monitor notices a name that is gone',
  starttls: `there are no monitors that speak STARTTLS: ${BY_PORT}`,
  ssh: `there are no monitors that sign in by SSH: ${BY_PORT}`,
  grpc: `there are no monitors of gRPC: ${BY_PORT}`,
  grpcs: `there are no monitors of gRPC: ${BY_PORT}`,
  ws: `there are no monitors of WebSockets: ${BY_PORT}`,
  wss: `there are no monitors of WebSockets: ${BY_PORT}`,
  udp: 'there are no monitors of UDP: a heartbeat that the service behind it pings comes nearest',
  sctp: 'there are no monitors of SCTP',
}

/** Parts of the configuration besides endpoints and alerting. */
export const GATUS_PARTS: Record<string, string> = {
  maintenance: 'maintenance windows are made in the dashboard',
  announcements: 'updates are posted on a status page, in the dashboard',
  connectivity: 'it is done without being asked: failures of many targets at once are doubted first',
  remote: 'import the configuration of each instance by itself',
  tunneling: 'checks go straight to their targets',
}
