import { type Said, said } from '../../core/language/said.ts'
import { monitorTypesOf } from '../counterparts.ts'

/** Monitor types by the scheme of an endpoint's URL. An http endpoint with a condition on its body becomes `keyword`. */
export const GATUS_TYPES = monitorTypesOf('gatus')

/** Reasons to skip the other schemes. */
export const GATUS_REASONS: Record<string, Said> = {
  sctp: said('there are no monitors of SCTP'),
}

/** Reasons to skip other sections of the configuration. */
export const GATUS_PARTS: Record<string, Said> = {
  announcements: said('updates are posted on a status page, in the dashboard'),
  connectivity: said('it is done without being asked: failures of many targets at once are doubted first'),
  security: said('people sign in to this service by accounts of their own, or by OIDC_ISSUER'),
  ui: said('a status page has its look and texts, in the dashboard'),
  remote: said('import the configuration of each instance by itself'),
  tunneling: said('checks go straight to their targets'),
}
