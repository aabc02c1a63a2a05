import {
  type ContactConfig,
  ContactCreate,
  ContactPatch,
  type ContactRecord,
  ContactSettings,
  ContactType,
  parseConfig,
  presentContact,
} from '../../core/alerting/contact.ts'
import { isOfBrowser, receiverKeysOf } from '../../core/alerting/contact-types.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { type Role, seesSecrets } from '../../core/teams/access.ts'
import { broken, type Faults, type Parsed, parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { attachToExisting } from '../../store/alerting/attachments.ts'
import {
  findContact,
  insertContact,
  listContacts as readContacts,
  deleteContact as removeContact,
  updateContact as writeContact,
} from '../../store/alerting/contacts.ts'
import { readOrCreatePushKeys } from '../../store/alerting/push-keys.ts'
import { keepRecord } from '../../store/deleted-records.ts'
import type { Implementation } from '../implementation.ts'
import { baseUrl, type Services } from '../services.ts'
import { askAgain, mailAgreementRequest, withAgreement } from './agreements.ts'

export const listContacts: Implementation<'listContacts'> = {
  async perform({ db, vault }, { actor }) {
    const records = await readContacts(db.query, vault, actor.teamId)
    return { body: { data: records.map((record) => present(record, actor.role)) } }
  },
}

export const getContact: Implementation<'getContact'> = {
  async perform(_services, { actor, record }) {
    return { body: { data: present(record, actor.role) } }
  },
}

export const createContact: Implementation<'createContact'> = {
  validate(services, _asked, body) {
    const parsed = parseFields(ContactCreate, body)
    const { type, config } = body as { type?: unknown; config?: unknown }
    return withConfig(services, parsed, type, config)
  },

  async perform(services, { actor, body }) {
    const { db, vault } = services
    const { attach_to_existing, ...sent } = body
    const settings = { ...sent, config: body.config as ContactConfig }
    const id = await withAgreement(services, actor, settings.config, (asking) =>
      db.query.transaction().execute(async (query) => {
        const unagreed_hash = asking?.unagreed.hash ?? null
        const user_id = isOfBrowser(settings.type) ? actor.userId : null
        const created = await insertContact(query, vault, actor.teamId, {
          ...settings,
          unagreed_hash,
          user_id,
        })
        if (asking) await mailAgreementRequest(services, query, actor.teamId, asking)
        if (attach_to_existing) await attachToExisting(query, actor.teamId, created)
        return created
      }),
    )
    return {
      body: { data: present({ id, ...settings }, actor.role) },
      headers: { location: `${baseUrl(services)}/notification-contacts/${id}` },
    }
  },
}

export const updateContact: Implementation<'updateContact'> = {
  validate(services, { record }, body) {
    const parsed = parseFields(ContactPatch, body, ({ type }) =>
      type === undefined || type === record.type
        ? []
        : [
            {
              field: 'type',
              message: said('cannot change: this contact is of type {type}', { type: record.type }),
            },
          ],
    )
    const { config } = body as { config?: unknown }
    return config === undefined ? parsed : withConfig(services, parsed, record.type, config)
  },

  async perform(services, { actor, record, body }) {
    const { db, vault } = services
    const config = body.config as ContactConfig | undefined
    const leadsElsewhere = config !== undefined && addressOf(config) !== addressOf(record.config)
    const changes = pick(body as Partial<ContactSettings>, keysOf(ContactSettings.shape))
    const write = (query: Query, more: { unagreed_hash?: Buffer | null } = {}) =>
      writeContact(query, vault, actor.teamId, record.id, { ...changes, ...more })
    if (leadsElsewhere) {
      await withAgreement(services, actor, config, (asking) =>
        db.query.transaction().execute(async (query) => {
          await write(query, { unagreed_hash: asking?.unagreed.hash ?? null })
          if (asking) await mailAgreementRequest(services, query, actor.teamId, asking)
        }),
      )
    } else await write(db.query)
    const changed = await findContact(db.query, vault, actor.teamId, record.id)
    if (!changed) throw new Refusal('notFound')
    return { body: { data: present(changed, actor.role) } }
  },
}

/** Public keys are no secret: every browser that gets alerts has this one. */
export const getPushKey: Implementation<'getPushKey'> = {
  async perform({ db, vault }) {
    const { publicKey } = await readOrCreatePushKeys(db.query, vault)
    return { body: { data: { public_key: publicKey } } }
  },
}

export const askContact: Implementation<'askContact'> = {
  async perform(services, { actor, record }) {
    await askAgain(services, actor, record.config)
    return {}
  },
}

export const deleteContact: Implementation<'deleteContact'> = {
  async perform({ db }, { actor, record }) {
    const isRemoved = await db.transaction(async (query) => {
      await keepRecord(query, 'Contact', { teamId: actor.teamId, id: record.id })
      return removeContact(query, actor.teamId, record.id)
    })
    if (!isRemoved) throw new Refusal('notFound')
    return {}
  },
}

function addressOf(config: ContactConfig): string | null {
  return 'email' in config ? config.email.toLowerCase() : null
}

function present(record: ContactRecord, role: Role) {
  return presentContact(record, seesSecrets(role))
}

/** Validates a config for the contact's type, and its addresses against policy. */
function withConfig<T>(services: Services, parsed: Parsed<T>, type: unknown, config: unknown): Parsed<T> {
  const known = ContactType.safeParse(type)
  if (!known.success || typeof config !== 'object' || config === null || Array.isArray(config)) return parsed
  const judged = parseConfig(known.data, config)
  const errors: Faults = {
    ...(!parsed.ok && parsed.faults),
    ...(judged.ok ? refusedAddresses(services, known.data, judged.value) : judged.faults),
  }
  if (!parsed.ok || !judged.ok || Object.keys(errors).length > 0) return broken(errors)
  return { ok: true, value: { ...parsed.value, config: judged.value } }
}

function refusedAddresses(
  { refuseAddress }: Services,
  type: ContactType,
  config: Record<string, string>,
): Faults {
  const errors: Faults = {}
  // A browser says where its push service is, and not the member.
  const kind = type === 'webpush' ? 'push service' : 'contact'
  for (const key of receiverKeysOf(type)) {
    const refusal = config[key] && refuseAddress(kind, config[key])
    if (refusal) errors[`config.${key}`] = [said('is refused: {reason}', { reason: refusal })]
  }
  return errors
}
