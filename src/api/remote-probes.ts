import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { PROBE_PATH, type ProbeQuestion, probeContract } from '../contract/remote-probes.ts'
import { PROBLEMS, Refusal } from '../core/errors.ts'
import { MAX_REFUSAL_LENGTH, PROBE_REFUSALS, ProbeRefusal } from '../core/probing/remote-probe.ts'
import { parseFields } from '../core/validation.ts'
import type { RemoteProbeNews } from '../operations/probing/remote-probe-news.ts'
import { createRemoteProbeHost, type RemoteProbeHost } from '../operations/probing/remote-probes.ts'
import type { Services } from '../operations/services.ts'
import { bearerToken } from '../operations/sign-in/authenticate.ts'
import type { ClientAddress } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const NOT_KEPT = { 'cache-control': 'no-store' }

/** The API of remote probes; see docs/remote-probes.md. */
export function createProbesApi(
  services: Services,
  news: RemoteProbeNews,
  clientAddress: ClientAddress,
): Hono {
  const app = new Hono({ strict: false })
  const desk = createRemoteProbeHost(services, news)
  for (const question of Object.keys(probeContract) as ProbeQuestion[]) {
    const { path, maxBytes } = probeContract[question]
    const limit = bodyLimit({
      maxSize: maxBytes,
      onError: () => refuse(services, new ProbeRefusal('tooLarge', `it takes at most ${maxBytes} bytes`)),
    })
    app.post(PROBE_PATH + path, limit, async (context) => {
      context.set('operation', 'probe')
      try {
        return toResponse({
          status: 200,
          body: await answer(desk, question, context, clientAddress(context)),
          headers: NOT_KEPT,
        })
      } catch (error) {
        return refuse(services, error)
      }
    })
    refuseOtherMethods(app, services, PROBE_PATH + path, new Set(['POST']))
  }
  return app
}

async function answer(
  desk: RemoteProbeHost,
  question: ProbeQuestion,
  context: Context,
  address: string,
): Promise<object> {
  const holder = await desk.authenticate(bearerToken(context.req.header('authorization')), address)
  const parsed = parseFields(probeContract[question].input, await readBody(context))
  if (!parsed.ok) {
    throw new ProbeRefusal(
      'invalid',
      Object.values(parsed.errors).flat().join('; ').slice(0, MAX_REFUSAL_LENGTH),
    )
  }
  // The input was parsed by the schema of this question.
  return await desk.answer[question](holder, parsed.value as never)
}

async function readBody(context: Context): Promise<unknown> {
  try {
    return await context.req.json()
  } catch {
    throw new ProbeRefusal('invalid', 'the body must be valid JSON')
  }
}

/**
 * Any error but a refusal is a bug or an outage: it is reported to us, and the probe, which gets no details, asks
 * again.
 */
function refuse(services: Services, error: unknown): Response {
  if (error instanceof ProbeRefusal) {
    const body = { error: error.code, message: error.message }
    return toResponse({ status: PROBE_REFUSALS[error.code], body, headers: NOT_KEPT })
  }
  // The recorder says why it cannot record at present; the findings come again.
  if (error instanceof Refusal) {
    const { status } = PROBLEMS[error.code]
    return toResponse({ status, body: undefined, headers: { ...NOT_KEPT, ...error.headers } })
  }
  services.onBug(error)
  return toResponse({ status: 500, body: undefined, headers: NOT_KEPT })
}
