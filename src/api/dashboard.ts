import { type Context, Hono } from 'hono'
import { allOperations, type OperationId } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import { Refusal } from '../core/errors.ts'
import { isCsvList } from '../core/reports/csv-list.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { csvOf } from '../operations/reports/csv-stream.ts'
import { run } from '../operations/run.ts'
import type { Services } from '../operations/services.ts'
import { actorIn, requireSession } from '../operations/sign-in/sessions.ts'
import { refuseForeignOrigins } from './own-origin.ts'
import { readRequest, routeOf, uploadIn } from './request.ts'
import { refuseOtherMethods, toCompressedResponse, toResponse, withSentences } from './respond.ts'

const TEAM_PATH = '/app/teams/:team'
const CSV_PATH = `${TEAM_PATH}/csv/:list`
const NO_STORE = { 'cache-control': 'no-store' }

/**
 * Every operation, for the dashboard: by cookie, in the team that the path names, so that a page keeps showing its team
 * when another tab switches to a different one.
 */
export function createDashboardApi(services: Services): Hono {
  const app = new Hono({ strict: false })
  const methods = new Map<string, Set<string>>()
  app.use('/app/*', refuseForeignOrigins(services))
  for (const id of Object.keys(allOperations) as OperationId[]) {
    const { method, path } = allOperations[id]
    const route = TEAM_PATH + routeOf(path)
    app.on(method, route, async (context) => {
      context.set('operation', id)
      return toCompressedResponse(await answer(services, id, context), context.req.header('accept-encoding'))
    })
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  app.get(CSV_PATH, (context) => answerCsv(services, context))
  methods.set(CSV_PATH, new Set(['GET']))
  for (const [route, allowed] of methods) refuseOtherMethods(app, services, route, allowed)
  return app
}

async function answer(services: Services, id: OperationId, context: Context) {
  try {
    const actor = await actorOf(services, context)
    const { maxBodyBytes, takesFiles }: Operation = allOperations[id]
    const request = { actor, ...readRequest(context, maxBodyBytes) }
    const sent = takesFiles ? { ...request, upload: uploadIn(context.req.raw) } : request
    const { headers, ...rest } = await run(services, id, sent)
    return withSentences({ ...rest, headers: { ...NO_STORE, ...headers } })
  } catch (error) {
    return withSentences(refusalAnswer(services, error, NO_STORE))
  }
}

async function actorOf(services: Services, context: Context) {
  const session = await requireSession(services, context.req.header('cookie'))
  return actorIn(services, session, context.req.param('team') ?? '')
}

/** A list as a file, which browsers save. */
async function answerCsv(services: Services, context: Context): Promise<Response> {
  try {
    const actor = await actorOf(services, context)
    const list = context.req.param('list') ?? ''
    if (!isCsvList(list)) throw new Refusal('notFound')
    const csv = await csvOf(services, actor, list, readRequest(context).query)
    if ('refused' in csv) return toResponse(csv.refused)
    const day = services.now().toISOString().slice(0, 10)
    return new Response(ReadableStream.from(csv.lines).pipeThrough(new TextEncoderStream()), {
      headers: {
        ...NO_STORE,
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${list}-${day}.csv"`,
      },
    })
  } catch (error) {
    return toResponse(refusalAnswer(services, error, NO_STORE))
  }
}
