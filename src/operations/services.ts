import type { Letter } from '../core/accounts/letter.ts'
import type { MailBoundName } from '../core/accounts/mail-bounds.ts'
import type { SavedSettings } from '../core/accounts/service-settings.ts'
import type { Assertion } from '../core/expectations/assertion.ts'
import type { Unmet } from '../core/expectations/evaluate.ts'
import type { Said } from '../core/language/said.ts'
import type { CheckResult } from '../core/monitors/check.ts'
import type { Need } from '../core/monitors/types/entry.ts'
import type { ImportKind } from '../core/moving-in/kinds.ts'
import type { Limits, Outcome } from '../core/moving-in/outcome.ts'
import type { RemoteFinding } from '../core/probing/remote-result.ts'
import type { SecretDoor } from '../core/request-limits.ts'
import type { InputSource, MachineReport } from '../core/servers/machine-report.ts'
import type { ReportFate } from '../core/servers/verdict.ts'
import { RESOURCE_PATHS } from '../core/sign-in/oauth.ts'
import type { FoundRecords } from '../core/status-pages/domain-proof.ts'
import type { PageModel } from '../core/status-pages/page-model.ts'
import type { PagePreview } from '../core/status-pages/shown-page.ts'
import type { Plans } from '../core/teams/plan.ts'
import type { Database, Query } from '../postgres/database.ts'
import type { FindHeartbeat } from '../store/monitors/pings.ts'
import type { PingRow } from '../store/monitors/recording.ts'
import type { RateLimit } from '../store/rate-limits.ts'
import type { Vault } from '../store/sealing/vault.ts'
import type { ServerTokens } from '../store/servers/recording.ts'
import type { WriteAudit } from '../store/teams/audit.ts'
import type { FindTokenHolder } from '../store/teams/tokens.ts'
import type { LetterPermit } from './accounts/letter-permit.ts'
import type { NotUnderstoodNotes } from './servers/not-understood.ts'
import type { OidcProvider } from './sign-in/oidc-provider.ts'

/** Kinds of addresses that people write in forms, of those that net/address-policy.ts lists. */
export type WrittenAddress = 'check' | 'contact' | 'crawled site' | 'push service' | 'subscriber'

type SettingsInUse = { siteUrl: string; smtpUrl: string | null; mailFrom: string }

/** The services that operations work with; wired once, in roles/services.ts. */
export type Services = {
  db: Database
  vault: Vault
  plans: Plans
  /** Public address without a slash at the end. Operators may change it meanwhile: ask each time. */
  readonly siteUrl: string
  readonly docsUrl: string
  /** The date of the newest entry of the changelog. */
  apiVersion: string
  /** Whether anyone may create an account (SIGNUP). */
  opensSignUp: boolean
  /** Whether letters can be sent at all (SMTP_URL, or as operators have saved it). Ask each time. */
  readonly hasMail: boolean
  /** The settings that operators change in the dashboard. */
  settings: {
    /** As the environment and defaults have them. */
    given: SettingsInUse
    /** Those that the environment leaves to operators. */
    left: Record<keyof SettingsInUse, boolean>
    inEffect(): SettingsInUse
    saved(): SavedSettings
    /** Resolves once this process goes by what is saved now; the others follow. */
    refresh(): Promise<void>
  }
  /** Sign-in through an OpenID provider; null where the operator has set up none (OIDC_ISSUER). */
  oidc: OidcProvider | null
  now: () => Date
  /** The time by the database's clock, which jobs are judged by; steady even when this machine's clock is set. */
  databaseNow: () => Date
  findTokenHolder: FindTokenHolder
  findHeartbeat: FindHeartbeat
  /** Writes a line of the audit log; resolves once it is durable. */
  writeAudit: WriteAudit
  limits: {
    perUser: RateLimit
    /** Test alerts of a team. */
    perTestedTeam: RateLimit
    /** Tests of settings before they are saved. */
    perTryingTeam: RateLimit
    /** Diagnoses that people ask for. */
    perDiagnosedTeam: RateLimit
    /** Tests of mail settings, which operators ask for. */
    perMailTester: RateLimit
    /** Secrets that stand for nothing, by a client's network: see `foundBySecret`. */
    perWrongSecret: Record<SecretDoor, RateLimit>
    perHeartbeat: RateLimit
    /** Pings with right tokens from one address. */
    perAddress: RateLimit
    perBadgeAddress: RateLimit
    perReportingServer: RateLimit
    /** Readings of the scripts that install the agent of a server. */
    perInstalledServer: RateLimit
    /** Turns of a switch by its secret address. */
    perSwitch: RateLimit
    /** Readings of a team's calendar. */
    perCalendar: RateLimit
    /** Requests without sign-in that cost work: accounts, letters, teams. */
    perSignInAddress: RateLimit
    /** Attempts to sign in, right or wrong: each costs work. */
    perEnteringAddress: RateLimit
    /** Failures to sign in through a provider. */
    perOidcAddress: RateLimit
    /** Failures to sign in: see `signInGuards`. */
    perFailingAddress: RateLimit
    perFailingPair: RateLimit
    perFailingAccount: RateLimit
    /** Failures of an account, in a browser that is known for it. */
    perKnownDevice: RateLimit
    /** Wrong codes of an account, behind its password. */
    perSecondFactor: RateLimit
    /** Wrong passwords and codes of people who are signed in. */
    perProof: RateLimit
    /** Wrong passwords of a status page, from one client and from all; and from one client once those of all are many. */
    perPageClient: RateLimit
    perPage: RateLimit
    perStrainedPageClient: RateLimit
    /** Mails to people who have not agreed; see `countMail`. */
    mails: Record<MailBoundName, RateLimit>
    /** Forms that subscribe, right or wrong. */
    perSubscriptionClient: RateLimit
    /** Uses of a mailed link about a subscription. */
    perSubscription: RateLimit
    /** Uses of a link from a letter. */
    perLink: RateLimit
    /** Messages of AI clients that are no tool calls. */
    perMcpUser: RateLimit
    perRegisteringAddress: RateLimit
    /** OAuth clients that register themselves, from all addresses together. */
    registrations: RateLimit
    perDescribingUser: RateLimit
    /** Renewals and revocations of one grant; wrong requests count apart. */
    perOauthGrant: RateLimit
    /** Requests of remote probes for confirmation, in a tick of a monitor. */
    perConfirmedTick: RateLimit
  }
  /** Why the policy for addresses of a kind refuses the one written in a URL; null when it does not. */
  refuseAddress: (kind: WrittenAddress, url: string) => string | null
  /** The programs beside the service that checks of some types need, and that are not set up here. */
  lacks: readonly Need[]
  /** Reads the metadata of an OAuth client at a public https address; null where that fails. */
  fetchDescription: (url: string) => Promise<string | null>
  /** The TXT records at a name; null if no name server answered. Bounded in time. */
  lookUpTxt: (name: string) => Promise<FoundRecords>
  /** A status page as visitors would see it. */
  renderPreview: (model: PageModel) => PagePreview
  /** HTML of the text of a post, as pages show it. */
  renderPostBody: (markdown: string) => string
  /**
   * Reads an export of another service in a process of its own, bounded in time and memory, and ended once the signal is
   * aborted. Nothing of what it holds is logged.
   */
  readExport: (
    service: ImportKind,
    paths: string[],
    terms: Limits & { now: Date },
    signal?: AbortSignal,
  ) => Promise<{ outcome: Outcome } | { fault: Said; looksLike: ImportKind | null }>
  /** Judges the body of a ping within a bound of time; resolves to the expectation that is not met, or null. */
  judgeBody: (assertions: readonly Assertion[], body: string | null) => Promise<Unmet | 'not judged' | null>
  /** Records a ping and what follows from it; resolves once that is durable. */
  recordPing: (ping: PingRow, result: CheckResult | null) => Promise<'recorded' | 'stale'>
  /** Records what was said of a manual monitor and what follows from it; resolves once that is durable. */
  recordWord: (monitorId: number, saidAt: Date, result: CheckResult) => Promise<'recorded' | 'stale'>
  /** Knows which tokens servers have. */
  serverTokens: ServerTokens
  /** Records a report of a server and what follows from it; resolves once that is durable. */
  recordReport: (tokenHash: Buffer, report: MachineReport, receivedAt: Date) => Promise<ReportFate>
  /** Keeps requests of which nothing could be kept, for the page of the server. */
  notUnderstood: NotUnderstoodNotes
  /** Counts readings of a standard input that are not kept. */
  countDropped: (source: InputSource, readings: number) => void
  /** Records a remote probe's finding and what follows from it; resolves to why it is refused, or null. */
  recordRemote: (found: RemoteFinding) => Promise<string | null>
  /** Counts results of remote probes that were refused. */
  countRefused: (results: number) => void
  /**
   * Queues a letter to a person about their account, to be sent once the transaction of `query` is committed and until
   * its link expires. Only the log shows failures, and that no mail server is set up. `teamId`: the team that has it sent.
   */
  enqueueLetter: (
    query: Query,
    permit: LetterPermit,
    letter: Letter,
    linkExpiresAt: Date,
    teamId?: number,
  ) => Promise<void>
  /** The same for a letter that belongs to no transaction, and whose link lasts at least a day. */
  sendLetter: (permit: LetterPermit, letter: Letter) => Promise<void>
  /** Does work that an answer must not wait for. */
  afterwards: (work: () => Promise<void>) => void
  onBug: (error: unknown) => void
}

export const API_PATH = RESOURCE_PATHS.api

export function baseUrl({ siteUrl }: Pick<Services, 'siteUrl'>): string {
  return `${siteUrl}${API_PATH}`
}

/** The base address of the dashboard's requests about a team. */
export function dashboardUrl({ siteUrl }: Pick<Services, 'siteUrl'>, teamId: number): string {
  return `${siteUrl}/app/teams/${teamId}`
}
