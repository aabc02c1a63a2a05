import { escalationOperations } from '../../contract/on-call/escalation.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import { ofEachField, withoutField } from '../../core/maintenance/subject-kind.ts'
import {
  type EscalationPolicy,
  MAX_POLICIES,
  type PolicyChain,
  PolicySettings,
  policyRules,
} from '../../core/on-call/policy.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { type Faults, parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { knownContacts } from '../../store/on-call/known-contacts.ts'
import {
  countPolicies,
  findPolicy,
  insertPolicy,
  type PolicyRecord,
  listPolicies as readPolicies,
  updatePolicy as writePolicy,
} from '../../store/on-call/policies.ts'
import { readOnCallSettings, updateOnCallSettings as writeSettings } from '../../store/on-call/settings.ts'
import { readNames } from '../../store/records.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import { deletionFrom } from '../delete-record.ts'
import type { Implementation } from '../implementation.ts'

export const getOnCallSettings: Implementation<'getOnCallSettings'> = {
  async perform({ db }, { actor }) {
    return { body: { data: await readOnCallSettings(db.query, actor.teamId) } }
  },
}

export const updateOnCallSettings: Implementation<'updateOnCallSettings'> = {
  async perform({ db }, { actor, body }) {
    await writeSettings(db, actor.teamId, body)
    return { body: { data: await readOnCallSettings(db.query, actor.teamId) } }
  },
}

export const listEscalationPolicies: Implementation<'listEscalationPolicies'> = {
  async perform({ db }, { actor }) {
    return { body: { data: (await readPolicies(db.query, actor.teamId)).map(presentPolicy) } }
  },
}

export const getEscalationPolicy: Implementation<'getEscalationPolicy'> = {
  perform: async (_services, { record }) => ({ body: { data: presentPolicy(record) } }),
}

export const createEscalationPolicy: Implementation<'createEscalationPolicy'> = {
  validate(_services, _asked, body) {
    return parseFields(PolicySettings, body, policyRules)
  },

  async perform({ db }, { actor: { teamId }, body }) {
    const created = await db.query.transaction().execute(async (query) => {
      await lockTeam(query, teamId)
      if ((await countPolicies(query, teamId)) >= MAX_POLICIES) {
        throw Refusal.invalid({
          name: [
            said('must wait: the team has {count} policies, the most; delete one first', {
              count: MAX_POLICIES,
            }),
          ],
        })
      }
      await refuseUnknownTargets(query, teamId, body)
      return readPolicy(query, teamId, await insertPolicy(query, teamId, body))
    })
    return { body: { data: created } }
  },
}

export const updateEscalationPolicy: Implementation<'updateEscalationPolicy'> = {
  validate(_services, { record }, body) {
    const schema = escalationOperations.updateEscalationPolicy.body
    return parseFields(schema, body, (sent) => policyRules({ ...settingsOf(record), ...defined(sent) }))
  },

  async perform({ db }, { actor: { teamId }, record, body }) {
    const changed = await db.query.transaction().execute(async (query) => {
      await lockTeam(query, teamId)
      if (body.steps) await refuseUnknownTargets(query, teamId, { steps: body.steps })
      await writePolicy(query, teamId, record.id, { ...settingsOf(record), ...defined(body) })
      return readPolicy(query, teamId, record.id)
    })
    return { body: { data: changed } }
  },
}

export const deleteEscalationPolicy: Implementation<'deleteEscalationPolicy'> =
  deletionFrom('escalation_policies')

/** Refuses contacts and schedules that are not the team's, and contacts that no alert of an outage may go to. */
export async function refuseUnknownTargets(
  query: Query,
  teamId: number,
  { steps }: Pick<PolicyChain, 'steps'>,
): Promise<void> {
  const contacts = await knownContacts(
    query,
    teamId,
    steps.flatMap(({ contact_ids }) => contact_ids),
  )
  const schedules = await readNames(
    query,
    'schedules',
    teamId,
    steps.flatMap(({ schedule_id }) => schedule_id ?? []),
  )
  const errors: Faults = {}
  steps.forEach(({ contact_ids, schedule_id }, index) => {
    contact_ids.forEach((id, place) => {
      const field = `steps.${index}.contact_ids.${place}`
      const contact = contacts.get(id)
      if (!contact) errors[field] = [said('must be the ID of a contact of the team, got {got}', { got: id })]
      else if (!contact.notifyOnDown) {
        errors[field] = [
          said('must be a contact that gets alerts of outages: turn them on for {name}', {
            name: contact.name,
          }),
        ]
      }
    })
    const field = `steps.${index}.schedule_id`
    if (schedule_id !== null && !schedules.has(schedule_id)) {
      errors[field] = [said('must be the ID of a schedule of the team, got {got}', { got: schedule_id })]
    }
  })
  if (Object.keys(errors).length > 0) throw Refusal.invalid(errors)
}

function settingsOf(record: PolicyRecord): PolicySettings {
  return pick(record, keysOf(PolicySettings.shape))
}

function defined(sent: { [Name in keyof PolicySettings]?: PolicySettings[Name] | undefined }) {
  return pick(sent, keysOf(PolicySettings.shape)) as Partial<PolicySettings>
}

async function readPolicy(query: Query, teamId: number, id: number): Promise<EscalationPolicy> {
  const policy = await findPolicy(query, teamId, id)
  if (!policy) throw new Refusal('notFound')
  return presentPolicy(policy)
}

function presentPolicy({ createdAt, ...record }: PolicyRecord): EscalationPolicy {
  return {
    ...withoutField('s', record),
    created_at: formatInstant(createdAt),
    ...ofEachField('s_count', (kind) => record[`${kind}s`]),
  }
}
