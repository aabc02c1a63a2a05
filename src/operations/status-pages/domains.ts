import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import { proofName } from '../../core/status-pages/domain-proof.ts'
import type { DomainProof } from '../../core/status-pages/shown-page.ts'
import { MAX_DOMAINS_OF_PAGE } from '../../core/status-pages/status-page.ts'
import { canAdd } from '../../core/teams/plan.ts'
import { cut } from '../../core/text.ts'
import { settleProof } from '../../store/status-pages/domain-proofs.ts'
import {
  countDomains,
  type DomainRecord,
  findDomain,
  insertDomain,
  listDomains,
  removeDomain,
} from '../../store/status-pages/domains.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import { changePage } from './change-page.ts'
import { presentDomain } from './present-page.ts'

const MAX_SHOWN_RECORDS = 20
const MAX_SHOWN_RECORD_LENGTH = 255

export const addStatusPageDomain: Implementation<'addStatusPageDomain'> = {
  async perform(services, { actor: { teamId }, actor, record, body: { domain } }) {
    if (domain === new URL(services.siteUrl).hostname) {
      throw invalid(said("must be another host than the service's own, got {host}", { host: domain }))
    }
    return changePage(services, actor, record.id, async (query, page) => {
      const { plan } = await lockTeam(query, teamId)
      const limit = services.plans[plan].max_own_domains
      if (!canAdd(limit, await countDomains(query, teamId))) {
        throw new Refusal('planLimitReached', {
          detail: said(
            'The {plan} plan allows {limit} own domains, and this team has as many. Remove one or change the plan.',
            { plan, limit },
          ),
          plan,
          max_own_domains: limit,
        })
      }
      const domains = await listDomains(query, [page.id])
      if (domains.some((known) => known.domain === domain)) {
        throw invalid(said('must be another one: the page has {domain} already', { domain }))
      }
      if (domains.length >= MAX_DOMAINS_OF_PAGE) {
        throw invalid(
          said('must wait: the page has {count} domains, the most', { count: MAX_DOMAINS_OF_PAGE }),
        )
      }
      const proof = `upbeat-status=${randomUUID()}`
      await insertDomain(query, { domain, pageId: page.id, teamId, proof }, services.databaseNow())
    })
  },
}

export const removeStatusPageDomain: Implementation<'removeStatusPageDomain'> = {
  async perform(services, { actor, record, body: { domain } }) {
    return changePage(services, actor, record.id, async (query, { id: pageId }) => {
      if (!(await removeDomain(query, { pageId, domain }))) throw notOfPage(domain)
    })
  },
}

export const proveStatusPageDomain: Implementation<'proveStatusPageDomain'> = {
  async perform(services, { record, body: { domain } }) {
    const asked = await findDomain(services.db.query, record.id, domain)
    if (!asked) throw notOfPage(domain)
    const found = await services.lookUpTxt(proofName(domain))
    const settled = await services.db.query
      .transaction()
      .execute((query) => settleProof(query, asked, found, services.databaseNow()))
    if (!settled) throw notOfPage(domain)
    const proof: DomainProof = {
      outcome: settled.outcome,
      found: (found ?? []).slice(0, MAX_SHOWN_RECORDS).map((value) => cut(value, MAX_SHOWN_RECORD_LENGTH)),
      detail: describeProof(settled.outcome, asked, found ?? []),
      domain: presentDomain(settled.domain),
    }
    return { body: { data: proof } }
  },
}

function describeProof(
  outcome: DomainProof['outcome'],
  { domain, proof }: DomainRecord,
  found: string[],
): Said {
  const name = proofName(domain)
  switch (outcome) {
    case 'proved':
      return said('{domain} is proved.', { domain })
    case 'contested':
      return said(
        'Another status page has {domain}, and its record is still at {record}: remove that record first.',
        { domain, record: name },
      )
    case 'unanswered':
      return said('No name server answered about {record}: try again in a minute.', { record: name })
    case 'missing':
      return found.length === 0
        ? said('There is no TXT record at {record} yet. A new one can take minutes to be seen.', {
            record: name,
          })
        : said('There are TXT records at {record}, but none is {proof}.', { record: name, proof })
  }
}

function notOfPage(domain: string): Refusal {
  return invalid(said('must be one of the page, got {domain}', { domain }))
}

function invalid(message: Said): Refusal {
  return Refusal.invalid({ domain: [message] })
}
