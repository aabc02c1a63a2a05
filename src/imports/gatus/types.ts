import { monitorTypesOf } from '../counterparts.ts'
import { BY_PORT, NO_DNS, NO_GRPC, NO_UDP, NO_WEBSOCKETS } from '../reasons.ts'

/** Schemes of an endpoint's URL that have a counterpart here; with a condition on its body http is keyword. */
export const GATUS_TYPES = monitorTypesOf('gatus')

/** Why the others have none. */
export const GATUS_REASONS: Record<string, string> = {
  dns: NO_DNS,
  starttls: `there are no monitors that speak STARTTLS: ${BY_PORT}`,
  ssh: `there are no monitors that sign in by SSH: ${BY_PORT}`,
  grpc: NO_GRPC,
  grpcs: NO_GRPC,
  ws: NO_WEBSOCKETS,
  wss: NO_WEBSOCKETS,
  udp: NO_UDP,
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
