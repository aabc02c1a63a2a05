import {
  defaultMailFrom,
  MAIL_TEST_MS,
  type MailServer,
  type MailTest,
  type MailTestBody,
  mailServerOf,
  passwordFor,
  readMailFrom,
  type ServiceSettings,
  type ServiceSettingsPatch,
  type SettingSource,
  smtpUrlOf,
} from '../../core/accounts/service-settings.ts'
import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import { keysOf } from '../../core/shape.ts'
import type { Query } from '../../postgres/database.ts'
import { insertMailTest, readMailTest } from '../../store/accounts/mail-tests.ts'
import { lockSavedSettings, readSavedSettings, saveSettings } from '../../store/accounts/service-settings.ts'
import { findUser, listMemberships } from '../../store/accounts/users.ts'
import { countPasskeys } from '../../store/sign-in/passkeys.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import type { Services } from '../services.ts'
import { OIDC_CALLBACK } from '../sign-in/oidc.ts'
import type { Session, Visitor } from '../sign-in/sessions.ts'
import { throttle } from '../sign-in/throttle.ts'

export async function showServiceSettings(services: Services): Promise<ServiceSettings> {
  const { db, settings, oidc } = services
  const { given, left } = settings
  const saved = settings.saved()
  const { siteUrl, smtpUrl, mailFrom } = settings.inEffect()
  return {
    site_url: {
      value: siteUrl,
      source: sourceOf(left.siteUrl, saved.siteUrl),
      default: given.siteUrl,
    },
    mail_server: {
      value: smtpUrl === null ? null : (mailServerOf(smtpUrl)?.server ?? null),
      source: sourceOf(left.smtpUrl, saved.smtpUrl),
    },
    mail_from: {
      value: mailFrom,
      source: sourceOf(left.mailFrom, saved.mailFrom),
      default: left.mailFrom ? (readMailFrom(defaultMailFrom(siteUrl)) as string) : given.mailFrom,
    },
    is_mail_unreadable: left.smtpUrl && saved.isMailUnreadable,
    passkeys: await countPasskeys(db.query),
    oidc_callback: oidc && siteUrl + OIDC_CALLBACK,
  }
}

function sourceOf(isLeft: boolean, saved: string | null): SettingSource {
  return isLeft ? (saved === null ? 'default' : 'saved') : 'environment'
}

/** The variable that sets each field, and wins over it. */
const VARIABLE_OF = { site_url: 'SITE_URL', mail_server: 'SMTP_URL', mail_from: 'MAIL_FROM' } as const
const SETTING_OF = { site_url: 'siteUrl', mail_server: 'smtpUrl', mail_from: 'mailFrom' } as const

/** Changes only the fields that were sent; every process goes by them within seconds. */
export async function updateServiceSettings(
  services: Services,
  session: Session,
  patch: ServiceSettingsPatch,
): Promise<ServiceSettings> {
  const { db, vault, settings } = services
  const fields = keysOf(patch)
  const fixed = fields.filter((field) => !settings.left[SETTING_OF[field]])
  if (fixed.length > 0)
    throw Refusal.invalid(Object.fromEntries(fixed.map((field) => [field, [isFixed(field)]])))
  await db.query.transaction().execute(async (query) => {
    await lockSavedSettings(query)
    const { smtpUrl } = await readSavedSettings(query, vault)
    const { site_url: siteUrl, mail_server: server, mail_from: mailFrom } = patch
    await saveSettings(query, vault, {
      ...(siteUrl !== undefined && { siteUrl }),
      ...(server !== undefined && { smtpUrl: server && urlOrRefuse(server, smtpUrl) }),
      ...(mailFrom !== undefined && { mailFrom }),
    })
    await auditInOwnTeams(services, query, session, fields)
  })
  await settings.refresh()
  return showServiceSettings(services)
}

function isFixed(field: keyof typeof VARIABLE_OF): Said {
  return said('is set by {variable} in the environment, which wins', { variable: VARIABLE_OF[field] })
}

/** The settings are of no team; those who share one with the operator see who changed them, and which. */
async function auditInOwnTeams(
  { now }: Services,
  query: Query,
  { userId }: Session,
  fields: string[],
): Promise<void> {
  for (const { id: teamId } of await listMemberships(query, userId)) {
    await insertAudit(query, {
      ...{ teamId, at: now(), userId, door: 'dashboard' as const },
      ...{ action: 'updateServiceSettings', subject: null, subjectId: null, fields },
    })
  }
}

function urlOrRefuse(server: MailServer, saved: string | null): string {
  const kept = passwordFor(server, saved)
  if ('refused' in kept) throw Refusal.invalid({ 'mail_server.password': [kept.refused] })
  return smtpUrlOf(server, kept.password)
}

/** Stores the settings for a process that sends mail, and wakes it: the mail goes to the operator, once. */
export async function testMail(
  services: Services,
  session: Session,
  { mail_server: server, mail_from: from }: MailTestBody,
  visitor: Visitor,
): Promise<{ id: number }> {
  const { db, vault, settings, limits } = services
  const { smtpUrl, mailFrom } = settings.inEffect()
  if (server !== null && !settings.left.smtpUrl) {
    throw Refusal.invalid({ mail_server: [isFixed('mail_server')] })
  }
  if (server === null && smtpUrl === null) {
    throw Refusal.invalid({ mail_server: [said('is needed: no mail server is set up yet')] })
  }
  await throttle(limits.perMailTester, session.userId)
  const user = await findUser(db.query, session.userId)
  if (!user) throw new Refusal('notFound')
  const id = await insertMailTest(db.query, vault, {
    userId: session.userId,
    forMs: MAIL_TEST_MS,
    settings: {
      smtpUrl: server === null ? smtpUrl : urlOrRefuse(server, settings.saved().smtpUrl),
      from: (settings.left.mailFrom ? from : null) ?? mailFrom,
      to: user.email,
      language: user.language ?? visitor.language,
    },
  })
  return { id }
}

export async function showMailTest({ db }: Services, { userId }: Session, id: number): Promise<MailTest> {
  const found = await readMailTest(db.query, { userId, id })
  if (!found) return { state: 'gone', status_code: null, detail: null }
  const { isClaimed, result } = found
  if (!result) return { state: isClaimed ? 'sending' : 'waiting', status_code: null, detail: null }
  const { isSent, statusCode, detail } = result
  return { state: isSent ? 'sent' : 'failed', status_code: statusCode, detail }
}
