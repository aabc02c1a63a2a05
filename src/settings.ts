import { type Config, defaultDocsUrl, mailName } from './config.ts'
import {
  defaultMailFrom,
  mailServerOf,
  NOTHING_SAVED,
  type SavedSettings,
} from './core/accounts/service-settings.ts'
import { readSavedSettings } from './store/accounts/service-settings.ts'
import type { Store } from './store/store.ts'

/** The settings that operators change while the service runs. A reader asks for them each time, and keeps no copy. */
type Changing = Pick<Config, 'siteUrl' | 'docsUrl' | 'smtpUrl' | 'mailFrom' | 'mailName'>

export type LiveSettings = {
  /** The configuration as the environment has it. */
  given: Config
  /** The configuration in effect: where the environment leaves a setting, what operators have saved, else the default. */
  config: Config
  saved(): SavedSettings
  /** Takes over what is saved by now. */
  refresh(): Promise<void>
}

/** Reads the settings that operators have saved; `onChange` hears of later changes of what is in effect. */
export async function openSettings(
  given: Config,
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  onChange: (config: Config) => void = () => {},
): Promise<LiveSettings> {
  let saved = NOTHING_SAVED
  const config: Config = { ...given, ...effective(given, saved) }

  async function take(): Promise<boolean> {
    saved = await readSavedSettings(db.query, vault)
    const next = effective(given, saved)
    const isOther = CHANGING.some((name) => next[name] !== config[name])
    Object.assign(config, next)
    return isOther
  }

  // One after another, so that an answer that comes late does not bring back what was before.
  let reading: Promise<unknown> = Promise.resolve()
  const refresh = async () => {
    if (await take()) onChange(config)
  }

  await take()
  return {
    given,
    config,
    saved: () => saved,
    refresh() {
      const read = reading.then(refresh)
      reading = read.catch(() => {})
      return read
    },
  }
}

/** The settings of a process that knows the environment alone. */
export function givenSettings(given: Config): LiveSettings {
  return { given, config: given, saved: () => NOTHING_SAVED, refresh: async () => {} }
}

const CHANGING = [
  'siteUrl',
  'docsUrl',
  'smtpUrl',
  'mailFrom',
  'mailName',
] as const satisfies (keyof Changing)[]

function effective(given: Config, saved: SavedSettings): Changing {
  const { left } = given
  const siteUrl = (left.siteUrl ? saved.siteUrl : null) ?? given.siteUrl
  const ownFrom = left.mailFrom ? (saved.mailFrom ?? `Upbeat <${defaultMailFrom(siteUrl)}>`) : given.mailFrom
  return {
    siteUrl,
    docsUrl: left.docsUrl ? defaultDocsUrl(siteUrl) : given.docsUrl,
    smtpUrl: left.smtpUrl ? saved.smtpUrl : given.smtpUrl,
    mailFrom: ownFrom,
    mailName: mailName(siteUrl, ownFrom),
  }
}

/** The settings in effect, for the log: without the login of the mail server. */
export function sayChanged({ siteUrl, smtpUrl, mailFrom }: Config): string {
  const server = smtpUrl === null ? null : mailServerOf(smtpUrl)?.server
  const mail = server ? `mail goes by ${server.host}:${server.port}, from ${mailFrom}` : 'no mail is sent'
  return `settings changed: the public address is ${siteUrl}; ${mail}`
}

/** Keeps the outcome of `make`, which is called anew once the settings in effect have changed. */
export function madeOf<T>(config: Config, make: () => T): () => T {
  let key: string | null = null
  let made: T
  return () => {
    const now = JSON.stringify(CHANGING.map((name) => config[name]))
    if (now !== key) {
      made = make()
      key = now
    }
    return made
  }
}
