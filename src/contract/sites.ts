import * as z from 'zod'
import { EXPIRY_LIST } from '../core/lists/expiry-list.ts'
import { integerParameter } from '../core/lists/parameter.ts'
import { SITE_LIST } from '../core/lists/site-list.ts'
import { PageMeta } from '../core/pagination.ts'
import { withoutSchemaDefaults } from '../core/shape.ts'
import { SiteArea } from '../core/sites/area.ts'
import {
  DnsSet,
  Expiry,
  MAX_DNS_SETS,
  MAX_SITE_INCIDENTS,
  SiteDetail,
  SiteIncident,
  SiteLimits,
  SiteRow,
} from '../core/sites/shown-site.ts'
import { SiteSettings } from '../core/sites/site.ts'
import { MAX_FINDINGS_LISTED, MAX_REASON_LENGTH, SiteFinding } from '../core/sites/site-finding.ts'
import { label, prose } from '../core/text.ts'
import { many, one, page, subjectPage } from './envelope.ts'
import type { Operation } from './operation.ts'

const PATH = '/sites'
const ONE = `${PATH}/{site}`
const FINDING = '/site-findings/{siteFinding}'
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const
const reason = prose(MAX_REASON_LENGTH)
/** A fault that is ignored stays so: colleagues ask why. */
const neededReason = label(MAX_REASON_LENGTH)

export const siteOperations = {
  listSites: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List sites',
    access: 'read',
    query: SITE_LIST.query,
    status: 200,
    output: subjectPage(SiteRow).extend({ meta: PageMeta.extend(SiteLimits.shape) }),
    errors: ['validationFailed'],
  },
  createSite: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Create a site',
    access: 'write',
    body: SiteSettings,
    status: 201,
    output: one(SiteDetail),
    errors: ['planLimitReached', ...BODY_ERRORS],
  },
  getSite: {
    internal: true,
    method: 'GET',
    path: ONE,
    summary: 'Show a site',
    access: 'read',
    status: 200,
    output: one(SiteDetail),
    errors: ['notFound'],
  },
  updateSite: {
    internal: true,
    method: 'PATCH',
    path: ONE,
    summary: 'Change a site',
    access: 'write',
    body: z.object(withoutSchemaDefaults(SiteSettings.shape)).partial(),
    status: 200,
    output: one(SiteDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteSite: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a site and its history',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  restoreSite: {
    internal: true,
    method: 'POST',
    path: '/deleted-sites/{deletedSite}/restore',
    summary: 'Take back the deletion of a site, within an hour',
    access: 'write',
    status: 200,
    output: one(SiteDetail),
    errors: ['notFound', 'planLimitReached', 'validationFailed'],
  },
  /** A look at `links`, `mixed_content` or `sitemap` is a crawl. One that is under way goes on. */
  lookAtSite: {
    internal: true,
    method: 'POST',
    path: `${ONE}/looks`,
    summary: 'Look at an area of a site now',
    access: 'write',
    body: z.object({ area: SiteArea }),
    status: 200,
    output: one(SiteDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  snoozeSiteArea: {
    internal: true,
    method: 'POST',
    path: `${ONE}/snooze`,
    summary: 'Silence an area of a site until a time, or end that',
    access: 'write',
    body: z.object({
      area: SiteArea,
      until: z.iso.datetime({ offset: true }).nullable(),
      reason: reason.default(''),
    }),
    status: 200,
    output: one(SiteDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  listSiteFindings: {
    internal: true,
    method: 'GET',
    path: `${ONE}/findings`,
    summary: 'List faults of a site, newest first; those that are fixed for 30 days',
    access: 'read',
    status: 200,
    output: many(SiteFinding, MAX_FINDINGS_LISTED),
    errors: ['notFound'],
  },
  ignoreSiteFinding: {
    internal: true,
    method: 'POST',
    path: `${FINDING}/ignore`,
    summary: 'Ignore a fault from now on, with a reason',
    access: 'write',
    body: z.object({ reason: neededReason }),
    status: 200,
    output: one(SiteFinding),
    errors: ['notFound', ...BODY_ERRORS],
  },
  unignoreSiteFinding: {
    internal: true,
    method: 'DELETE',
    path: `${FINDING}/ignore`,
    summary: 'Heed a fault again',
    access: 'write',
    status: 200,
    output: one(SiteFinding),
    errors: ['notFound'],
  },
  listSiteDnsSets: {
    internal: true,
    method: 'GET',
    path: `${ONE}/dns`,
    summary: 'List the DNS records of a site as they were sighted, newest first',
    access: 'read',
    status: 200,
    output: many(DnsSet, MAX_DNS_SETS),
    errors: ['notFound'],
  },
  listExpiries: {
    internal: true,
    method: 'GET',
    path: '/expiries',
    summary: 'List when certificates and domains of sites and monitors end, soonest first',
    access: 'read',
    query: EXPIRY_LIST.query,
    status: 200,
    output: page(Expiry),
    errors: ['validationFailed'],
  },
  listSiteIncidents: {
    internal: true,
    method: 'GET',
    path: '/site-incidents',
    summary: 'List incidents of sites, newest first',
    access: 'read',
    query: z.object({ site: integerParameter(1).optional() }),
    status: 200,
    output: many(SiteIncident, MAX_SITE_INCIDENTS),
    errors: ['validationFailed'],
  },
} as const satisfies Record<string, Operation & { internal: true }>
