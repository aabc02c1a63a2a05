import { type Excused, judgeSuite, NOTHING_HAPPENED, type Wrong } from '../judge-suite.ts'
import type { Evidence } from '../logs.ts'
import { HOME, PAGES, pathOf } from './truth.ts'

const SITE = 11
const CRAWLS: [number, number, boolean][] = [
  [2_000, 9_000, true],
  [24_000, 31_000, true],
  [46_000, 53_000, false],
]

/**
 * A minute in which the home page of a site failed from second 10 to 20, and three crawls went by: the sitemap was faulty in
 * the first two.
 */
function cleanRun(): Evidence {
  const subject = { monitor: SITE, state: 'sent', attempts: 1 }
  const deliveries = [
    { ...subject, incident: 1, messageId: 'home begins', event: 'site.down' },
    { ...subject, incident: 1, messageId: 'home ends', event: 'site.recovery' },
  ]
  const warnings = [
    { ...subject, messageId: 'sitemap begins', event: 'site.degraded', atMs: 8_900 },
    { ...subject, messageId: 'sitemap ends', event: 'site.recovery', atMs: 52_900 },
  ]
  return {
    ...structuredClone(NOTHING_HAPPENED),
    outages: [{ monitor: SITE, condition: HOME, fromMs: 10_000, toMs: 20_000, noticedAfterMs: 2_000 }],
    incidents: [{ id: 1, monitor: SITE, condition: HOME, startedMs: 11_000, resolvedMs: 21_000 }],
    deliveries,
    received: [...deliveries, ...warnings].map(({ messageId, event }, i) => ({
      ...{ messageId, monitor: SITE, event, body: messageId },
      atMs: [11_100, 21_100, 9_100, 53_100][i] as number,
    })),
    sites: {
      numbers: [SITE],
      crawls: CRAWLS.map(([fromMs, toMs], i) => ({
        id: i + 1,
        site: SITE,
        fromMs,
        toMs,
        isCutShort: false,
        isSitemapRead: true,
      })),
      answers: CRAWLS.flatMap(([fromMs, , isFaulty]) => [
        { site: SITE, path: '/sitemap.xml', atMs: fromMs + 500, isFaulty },
        ...Array.from({ length: PAGES }, (_, page) => ({
          ...{ site: SITE, path: pathOf(page), atMs: fromMs + 1_000 + page, isFaulty: false },
        })),
      ]),
      warnings,
    },
  }
}

const MESSAGE = 'a message lost, invented or changed'
const WARNING = 'a warning of a site lost, doubled or invented'
const CRAWL = 'a page of a crawl lost or asked for twice'

/** The alert, and that it arrived. */
function forget(run: Evidence, id: string): void {
  run.deliveries = run.deliveries.filter(({ messageId }) => messageId !== id)
  run.sites.warnings = run.sites.warnings.filter(({ messageId }) => messageId !== id)
  run.received = run.received.filter(({ messageId }) => messageId !== id)
}

const WRONGS: Wrong[] = [
  [
    'a home page that was well was told down',
    (run) => {
      run.outages = []
    },
    ['an incident without an outage'],
  ],
  [
    'an alert of a site is one of a server',
    (run) => {
      for (const one of [...run.deliveries, ...run.received])
        one.event = one.event.replace('site.d', 'server.d')
    },
    ['an alert lost or doubled', MESSAGE],
  ],
  [
    'a home page was told down in a window',
    (run) => {
      run.applied.push({ window: 3, whom: 'everything', fromMs: 9_500, toMs: 14_000 })
    },
    ['an incident of a site within a window'],
  ],
  ['a recovery was never told', (run) => forget(run, 'home ends'), ['an alert lost or doubled']],
  ['a faulty sitemap was never told', (run) => forget(run, 'sitemap begins'), [WARNING]],
  ['the end of a warning was never told', (run) => forget(run, 'sitemap ends'), [WARNING]],
  [
    'a warning is still waiting',
    (run) => {
      for (const one of run.sites.warnings) one.state = 'pending'
    },
    [WARNING],
  ],
  ['a warning never arrived', (run) => void run.received.splice(2, 1), [MESSAGE]],
  [
    'a warning was told by each crawl',
    (run) => {
      const [first] = run.sites.warnings
      if (first) run.sites.warnings.splice(1, 0, { ...first, messageId: 'again', atMs: 30_900 })
      run.received.push({
        messageId: 'again',
        monitor: SITE,
        event: 'site.degraded',
        body: 'again',
        atMs: 31_100,
      })
    },
    [WARNING],
  ],
  [
    'a warning told of a sitemap that was well',
    (run) => {
      for (const one of run.sites.answers) one.isFaulty = false
    },
    [WARNING],
  ],
  [
    'a warning belongs to no crawl',
    (run) => {
      for (const one of run.sites.warnings.slice(1)) one.atMs = 58_000
    },
    [WARNING],
  ],
  [
    'the end of a warning was told before it',
    (run) => {
      for (const one of run.received) if (one.messageId === 'sitemap ends') one.atMs = 9_000
    },
    [WARNING],
  ],
  ['a crawl left a page out', (run) => void run.sites.answers.splice(3, 1), [CRAWL]],
  [
    'a crawl asked for a page again, and was not interrupted',
    (run) => void run.sites.answers.push({ site: SITE, path: pathOf(3), atMs: 8_000, isFaulty: false }),
    [CRAWL],
  ],
]

const EXCUSED: Excused[] = [
  [
    'a home page that failed in a window was told at its end',
    (run) => {
      run.applied.push({ window: 3, whom: 'everything', fromMs: 9_500, toMs: 11_000 })
    },
  ],
  [
    'an outage came and went while those who look were gone',
    (run) => {
      run.outages.push({
        monitor: SITE,
        condition: HOME,
        fromMs: 25_000,
        toMs: 45_000,
        noticedAfterMs: 2_000,
      })
      run.blindToSites.push({ fromMs: 24_000, toMs: 34_000 })
    },
  ],
  [
    'a crawl that was interrupted asked for a page again',
    (run) => {
      run.faults.push({ fromMs: 4_000, toMs: 5_000 })
      run.sites.answers.push({ site: SITE, path: pathOf(3), atMs: 8_000, isFaulty: false })
    },
  ],
  [
    'a crawl could not go on, as the home page failed',
    (run) => {
      const [, second] = run.sites.crawls
      if (second) second.isCutShort = true
      run.sites.answers = run.sites.answers.filter(({ atMs }) => atMs < 24_000 || atMs > 31_000)
    },
  ],
  [
    'a home page that failed was asked for again',
    (run) => void run.sites.answers.push({ site: SITE, path: '/', atMs: 2_900, isFaulty: true }),
  ],
  [
    'the answer that its sitemap is well did not reach the crawler',
    (run) => {
      const [, , third] = run.sites.crawls
      if (third) third.isSitemapRead = false
      forget(run, 'sitemap ends')
    },
  ],
  [
    'a faulty sitemap under maintenance was told later',
    (run) => {
      run.applied.push({ window: 3, whom: 'everything', fromMs: 8_000, toMs: 10_500 })
      for (const one of run.sites.warnings.slice(0, 1)) one.atMs = 30_900
    },
  ],
]

judgeSuite('the judge of hostile runs with sites', cleanRun, { wrongs: WRONGS, excused: EXCUSED })
