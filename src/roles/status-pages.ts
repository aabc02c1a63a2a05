import type { IncomingMessage, ServerResponse } from 'node:http'
import { HSTS } from '../api/respond.ts'
import type { Config } from '../config.ts'
import { clientNetwork } from '../core/client-address.ts'
import type { Loops } from '../engine/loops.ts'
import { monotonicMs } from '../engine/probing/clock.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Tally } from '../metrics/tally.ts'
import type { Services } from '../operations/services.ts'
import { authenticateSession } from '../operations/sign-in/sessions.ts'
import { forClient, throttle } from '../operations/sign-in/throttle.ts'
import { readJudgedLogo } from '../operations/status-pages/judged-logo.ts'
import { createPageReader } from '../operations/status-pages/read-model.ts'
import { followPages } from '../operations/status-pages/serving/followed-pages.ts'
import { createKeptLogos } from '../operations/status-pages/serving/kept-logos.ts'
import { createKeptPages } from '../operations/status-pages/serving/kept-pages.ts'
import { enterPage, hasPass } from '../operations/status-pages/serving/page-pass.ts'
import {
  changeSubscription,
  showSubscription,
  subscribe,
  takesWish,
} from '../operations/status-pages/subscriptions.ts'
import { createPageAnswers } from '../pages/status-pages/serving/answer.ts'
import { createDocumentWriter, type PageWish } from '../pages/status-pages/serving/documents.ts'
import { packLike, type ReadyFile } from '../pages/status-pages/serving/ready-file.ts'
import { signInForm } from '../pages/status-pages/serving/sign-in.ts'
import {
  type SubscriptionDeps,
  subscribeForm,
  subscriptionForm,
} from '../pages/status-pages/serving/subscriptions.ts'
import { listMemberships } from '../store/accounts/users.ts'
import { readPageVersions, readPostTimes, readServedPages } from '../store/status-pages/served-pages.ts'
import { countRequest } from './counters.ts'
import { createClientReader } from './http-server.ts'
import { createStatusExport, followExport } from './status-export.ts'

export type StatusPages = {
  /** Answers a request that is of a status page; false for all others. */
  takes(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Something may have changed. */
  wake(): void
  /** Makes every page anew: their address, or what they offer, has changed. */
  renew(): void
  /** Resolves once all pages are known, so that no own domain is taken for an unknown host. */
  known: Promise<void>
  close(): Promise<void>
}

/** Wires the status pages that a process with the role `api` serves. */
export function openStatusPages(
  config: Config,
  services: Services,
  log: Log,
  tally: Tally,
  loops: Loops,
): StatusPages {
  const { db, vault, now } = services
  const onTrouble = troubleOf(log, 'status pages')
  const logos = createKeptLogos({ read: (pageId) => readJudgedLogo(db.query, pageId), monotonicMs })
  const kept = createKeptPages<PageWish, ReadyFile>({
    source: { ...createPageReader(services), readPostTimes: (pageId) => readPostTimes(db.query, pageId) },
    pageOf: (pageId) => pages.byId(pageId),
    render: createDocumentWriter({
      get offersMail() {
        return services.hasMail
      },
      readLogo: logos.logoOf,
    }),
    follow: packLike,
    async onBuilt(page, model, posts) {
      copies?.write(page.id, model, posts)
      await logos.readAhead(model)
    },
    now,
    monotonicMs,
    onTrouble,
  })
  const forget = (pageId: number) => {
    kept.forget(pageId)
    logos.forget(pageId)
  }
  const pages = followPages({
    readVersions: () => readPageVersions(db),
    readPages: (ids) => readServedPages(db.query, vault, ids),
    onChange(changed, gone) {
      for (const { id, isPublished } of changed) isPublished ? kept.changed(id) : forget(id)
      for (const id of gone) forget(id)
      copies?.tidy()
    },
    monotonicMs,
    ...loops.watch('status pages', onTrouble),
  })
  const copies =
    config.statusExportDir === null
      ? null
      : followExport(createStatusExport(services, config.statusExportDir), pages, onTrouble)
  void pages.known.then(() => copies?.tidy())
  const clientOf = createClientReader(config.trustedProxies)
  const clientAddress = (incoming: IncomingMessage) => clientOf(incoming).address
  const subscriptions: SubscriptionDeps = {
    model: kept.model,
    clientAddress,
    get offersMail() {
      return services.hasMail
    },
    takesWish: (wish) => takesWish(services, wish),
    countForm: (client) => throttle(services.limits.perSubscriptionClient, client),
    subscribe: (...asked) => subscribe(services, ...asked),
    showSubscription: (...asked) => showSubscription(services, ...asked),
    changeSubscription: (...asked) => changeSubscription(services, ...asked),
  }
  const answers = createPageAnswers({
    pages,
    documents: kept,
    get siteUrl() {
      return services.siteUrl
    },
    get transportSecurity() {
      return services.siteUrl.startsWith('https:') ? HSTS : null
    },
    // The address of a proxy must not stand in for that of a reader whom it does not name.
    knownAddress(incoming) {
      const { address, isKnown } = clientOf(incoming)
      return isKnown ? address : null
    },
    hasPass: (page, cookie) => hasPass(services, page, cookie),
    async isMember(page, cookie) {
      const session = await authenticateSession(services, cookie)
      const teams = session ? await listMemberships(db.query, session.userId) : []
      return teams.some(({ id }) => id === page?.teamId)
    },
    forms: {
      sign_in: signInForm((page, entry) => {
        const origin = { address: entry.clientAddress, userAgent: '' }
        const client = { network: clientNetwork(entry.clientAddress), origin }
        return forClient(
          () => client,
          () => enterPage(services, page, entry),
        )
      }, clientAddress),
      subscribe: subscribeForm(subscriptions),
      subscription: subscriptionForm(subscriptions),
    },
    onBug: services.onBug,
  })
  const count = countRequest(tally)
  return {
    takes(incoming, outgoing) {
      const began = performance.now()
      if (!answers(incoming, outgoing)) return false
      const note = () => count('status_page', outgoing.statusCode, (performance.now() - began) / 1_000)
      // Most answers are sent by now.
      if (outgoing.headersSent) note()
      else outgoing.once('finish', note)
      return true
    },
    wake: pages.wake,
    renew() {
      for (const { id, isPublished } of pages.all()) if (isPublished) kept.changed(id)
    },
    known: pages.known,
    async close() {
      await pages.close()
      await kept.close()
      await copies?.close()
    },
  }
}
