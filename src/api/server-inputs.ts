import type { Context, Hono } from 'hono'
import { PROBLEMS, Refusal } from '../core/errors.ts'
import type { InputAnswer, InputRefusal } from '../core/servers/inputs/answer.ts'
import { INFLUX_QUESTIONS, influxRefusal } from '../core/servers/inputs/influx-answer.ts'
import {
  type InputRequest,
  STANDARD_INPUTS,
  type StandardInput,
  tokenWithoutPort,
} from '../core/servers/inputs/standard-inputs.ts'
import type { MachineReport } from '../core/servers/machine-report.ts'
import { MAX_INPUT_BYTES, SERVER_PATH } from '../core/servers/server.ts'
import type { Services } from '../operations/services.ts'
import type { ClientAddress } from './client-address.ts'
import { refuseOtherMethods } from './respond.ts'
import { readUnpacked } from './unpacked-body.ts'

/** How reports of a token are taken, whatever they were read from. Both throw refusals. */
export type Receiving<Admitted> = {
  admit(token: string, address: string): Promise<Admitted>
  /** Resolves once they are durable, to why some of them were refused. */
  receive(admitted: Admitted, reports: MachineReport[]): Promise<{ refused: string | null }>
}

/** The standard inputs of servers: other programs' protocols, whose answers their senders understand. */
export function addServerInputs<Admitted>(
  app: Hono,
  services: Services,
  clientAddress: ClientAddress,
  receiving: Receiving<Admitted>,
): void {
  const tokenOf = (context: Context) => tokenWithoutPort(context.req.param('token') ?? '')

  for (const [path, input] of Object.entries(STANDARD_INPUTS)) {
    const route = `${SERVER_PATH}/:token/${path}`
    app.post(route, async (context) => {
      context.set('operation', 'serverInput')
      const request = requestOf(context)
      try {
        const admitted = await receiving.admit(tokenOf(context), clientAddress(context))
        return toResponse(await answer(context, input, request, admitted))
      } catch (error) {
        return toResponse(input.refused(request, refusalOf(services, error)))
      }
    })
    refuseOtherMethods(app, services, route, new Set(['POST']))
  }

  for (const [question, reply] of Object.entries(INFLUX_QUESTIONS)) {
    const route = `${SERVER_PATH}/:token/${question}`
    app.on(['GET', 'POST'], route, async (context: Context) => {
      context.set('operation', 'serverInput')
      try {
        await receiving.admit(tokenOf(context), clientAddress(context))
        return toResponse(reply(requestOf(context).query))
      } catch (error) {
        return toResponse(influxRefusal(refusalOf(services, error)))
      }
    })
    refuseOtherMethods(app, services, route, new Set(['GET', 'POST']))
  }

  async function answer(
    context: Context,
    input: StandardInput,
    request: InputRequest,
    admitted: Admitted,
  ): Promise<InputAnswer> {
    const refusal = input.refuse(request)
    if (refusal) return input.refused(request, refusal)
    const body = await readUnpacked(context.req.raw, { max: MAX_INPUT_BYTES, encodings: input.encodings })
    const reading = input.read(body, request, services.databaseNow().getTime() / 1_000)
    if ('fault' in reading) return input.refused(request, { status: 400, detail: reading.fault })
    const { reports, rejected } = reading
    if (reports.length === 0) return input.taken(request, rejected)
    const { refused } = await receiving.receive(admitted, reports)
    return input.taken(request, refused === null ? rejected : { count: 1, why: refused })
  }
}

function requestOf(context: Context): InputRequest {
  return {
    contentType: context.req.header('content-type') ?? null,
    query: (name) => context.req.query(name) ?? null,
  }
}

/** Refusals are the same whichever protocol says them. What is not one is a bug. */
function refusalOf(services: Pick<Services, 'onBug'>, error: unknown): InputRefusal {
  const refusal = error instanceof Refusal ? error : new Refusal('internal')
  if (refusal !== error) services.onBug(error)
  const seconds = refusal.headers['retry-after']
  return {
    status: statusOf(PROBLEMS[refusal.code].status),
    detail: refusal.message,
    ...(seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) }),
  }
}

function statusOf(status: number): InputRefusal['status'] {
  const known = [404, 409, 413, 415, 429, 500, 503] as const
  return known.find((one) => one === status) ?? 400
}

function toResponse({ status, headers, body }: InputAnswer): Response {
  return new Response(body as Uint8Array<ArrayBuffer> | string | null, { status, headers })
}
