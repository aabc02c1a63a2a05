import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { monotonicMs } from '../../../src/engine/probing/clock.ts'
import type {
  FollowedPages,
  ServedPage,
} from '../../../src/operations/status-pages/serving/followed-pages.ts'
import { createKeptPages } from '../../../src/operations/status-pages/serving/kept-pages.ts'
import { createPageAnswers } from '../../../src/pages/status-pages/serving/answer.ts'
import { createDocumentWriter, type PageWish } from '../../../src/pages/status-pages/serving/documents.ts'
import type { ReadyFile } from '../../../src/pages/status-pages/serving/ready-file.ts'
import type { Scope } from '../scope.ts'
import { AS_OF } from './models.ts'

/** Public pages over HTTP as the service sends them, without records. Resolves to the address of each, by its name. */
export async function answerModels(
  scope: Scope,
  models: Record<string, PageModel>,
): Promise<Record<string, string>> {
  const served = Object.keys(models).map((_name, index) => servedPage(index + 1, `page-${index + 1}`))
  const pageOf = (id: number) => served.find((page) => page.id === id) ?? null
  const fail = (error: unknown) => {
    throw error
  }
  const kept = createKeptPages<PageWish, ReadyFile>({
    source: {
      readModel: async (id) => Object.values(models)[id - 1] ?? null,
      readMonth: async (_id, month) => ({ month, posts: [] }),
      readPost: async () => null,
      readPostTimes: async () => new Map(),
    },
    pageOf,
    render: createDocumentWriter({ offersMail: false, readLogo: async () => null }),
    follow: async () => {},
    now: () => AS_OF,
    monotonicMs,
    onTrouble: fail,
  })
  const pages: FollowedPages = {
    bySlug: (slug) => served.find((page) => page.slug === slug) ?? null,
    byDomain: () => null,
    byId: pageOf,
    all: () => served,
    wake: () => {},
    isAway: () => false,
    known: Promise.resolve(),
    close: async () => {},
  }
  const answers = createPageAnswers({
    pages,
    documents: kept,
    siteUrl: 'http://127.0.0.1',
    transportSecurity: null,
    knownAddress: () => '127.0.0.1',
    hasPass: () => false,
    isMember: async () => false,
    forms: {},
    onBug: fail,
  })
  const server = createServer((incoming, outgoing) => {
    if (!answers(incoming, outgoing)) outgoing.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
    await kept.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status`
  return Object.fromEntries(Object.keys(models).map((name, index) => [name, `${url}/${served[index]?.slug}`]))
}

function servedPage(id: number, slug: string): ServedPage {
  return {
    id,
    slug,
    teamId: 1,
    isPublished: true,
    visibility: 'public',
    networks: [],
    language: 'auto',
    theme: 'auto',
    accent_color: null,
    allows_subscribers: true,
    passwordRevision: 0,
    feedToken: null,
    domains: [],
    version: '1',
  }
}
