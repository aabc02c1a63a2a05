import type { Context, Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import { inWords } from '../core/language/said.ts'
import { readAgentReport } from '../core/servers/agent-report.ts'
import {
  INFLUX_QUESTIONS,
  type InputAnswer,
  type InputRefusal,
  type Rejected,
} from '../core/servers/inputs/answer.ts'
import type { Fault, InputReading } from '../core/servers/inputs/point.ts'
import {
  type InputRequest,
  rejectedMachines,
  STANDARD_INPUTS,
  type StandardInput,
} from '../core/servers/inputs/standard-inputs.ts'
import type { MachineReport } from '../core/servers/machine-report.ts'
import { notedRequest } from '../core/servers/not-understood.ts'
import { MAX_INPUT_BYTES, MAX_REPORT_BYTES, SERVER_PATH } from '../core/servers/server.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { admitReports, receiveReports } from '../operations/servers/receive-reports.ts'
import type { Services } from '../operations/services.ts'
import type { ClientAddress } from './request.ts'
import { readPackedBody } from './request.ts'
import { refuseOtherMethods, toResponse, toText } from './respond.ts'

const ADDRESS = `${SERVER_PATH}/:token`
/** Glances writes its port behind the address that it is given, and so behind the token, which has no colon: `{token}:443/write`. */
const PORT = /:\d{1,5}$/
/** A request that a sender makes in another way than its protocol, or in another protocol. */
const FAULTS_OF_SENDER: InputRefusal['status'][] = [400, 413, 415]
const NO_REPORT =
  'The body is no report of the agent, which begins with the line: upbeat-agent 1 and its version.'

/**
 * The addresses that servers report to: the token in the path is the credential. It is looked at before anything else of a
 * request is read, and an answer of success means that the report is durable.
 */
export function addServerReports(app: Hono, services: Services, clientAddress: ClientAddress): void {
  app.post(ADDRESS, async (context) => {
    context.set('operation', 'serverReport')
    try {
      const tokenHash = await admit(context)
      const report = await readReport(context).catch((error) => {
        noteFault(context, tokenHash, refusalOf(error))
        throw error
      })
      const { wantsTop } = await receiveReports(services, tokenHash, [report])
      return toText(wantsTop ? 'ok top\n' : 'ok\n')
    } catch (error) {
      return toResponse(refusalAnswer(services, error))
    }
  })
  refuseOtherMethods(app, services, ADDRESS, new Set(['POST']))

  for (const [path, input] of Object.entries(STANDARD_INPUTS)) {
    const route = `${ADDRESS}/${path}`
    app.post(route, async (context) => {
      context.set('operation', 'serverReport')
      const request = requestOf(context)
      try {
        return respond(await take(context, input, request))
      } catch (error) {
        return respond(input.refused(request, refusalOf(error)))
      }
    })
    refuseOtherMethods(app, services, route, new Set(['POST']))
  }

  for (const [path, answer] of Object.entries(INFLUX_QUESTIONS)) {
    app.on(['GET', 'POST'], `${ADDRESS}/${path}`, async (context) => {
      try {
        await admit(context)
        return respond(answer(requestOf(context).query))
      } catch (error) {
        return toResponse(refusalAnswer(services, error))
      }
    })
  }

  async function readReport(context: Context): Promise<MachineReport> {
    const limits = { maxBytes: MAX_REPORT_BYTES, encodings: ['gzip'] }
    const body = await readPackedBody(context.req.raw, limits)
    const report = readAgentReport(new TextDecoder().decode(body))
    if (!report) throw Refusal.invalid({ body: [inWords(NO_REPORT)] })
    return report
  }

  /** The page of the server shows why no report comes. */
  function noteFault(context: Context, tokenHash: Buffer, { status, detail: why }: InputRefusal): void {
    if (FAULTS_OF_SENDER.includes(status)) note(context, tokenHash, { names: [], why })
  }

  function note(context: Context, tokenHash: Buffer, said: { names: string[]; why: string | null }): void {
    const userAgent = context.req.header('user-agent') ?? null
    const address = clientAddress(context)
    services.notUnderstood.note(tokenHash, notedRequest({ userAgent, address, ...said }))
  }

  function admit(context: Context): Promise<Buffer> {
    const token = (context.req.param('token') ?? '').replace(PORT, '')
    return admitReports(services, token, () => clientAddress(context))
  }

  async function take(context: Context, input: StandardInput, request: InputRequest): Promise<InputAnswer> {
    const tokenHash = await admit(context)
    const read = await readInput(context, input, request)
    if ('status' in read) {
      noteFault(context, tokenHash, read)
      return input.refused(request, read)
    }
    services.countDropped(input.source, read.dropped)
    if (read.reports.length === 0) note(context, tokenHash, { names: read.unknown, why: null })
    const { others } = await receiveReports(services, tokenHash, read.reports)
    return input.taken(
      request,
      togetherRejected(read.rejected, others.length > 0 ? rejectedMachines(others) : null),
    )
  }

  async function readInput(
    context: Context,
    input: StandardInput,
    request: InputRequest,
  ): Promise<InputRefusal | Exclude<InputReading, Fault>> {
    const refusal = input.refuse(request)
    if (refusal) return refusal
    try {
      const limits = { maxBytes: MAX_INPUT_BYTES, encodings: input.encodings }
      const body = await readPackedBody(context.req.raw, limits)
      const read = input.read(body, request, services.databaseNow().getTime() / 1_000)
      if (!('fault' in read)) return read
      return { status: read.isTooLarge ? 413 : 400, detail: read.fault }
    } catch (error) {
      return refusalOf(error)
    }
  }

  /** As protocols of others say it: what is malformed is 400. */
  function refusalOf(error: unknown): InputRefusal {
    const { status, body, headers = {} } = refusalAnswer(services, error)
    const { title } = body as { title: string }
    const wait = headers['retry-after']
    return {
      status: status === 422 ? 400 : (status as InputRefusal['status']),
      detail: error instanceof Refusal ? error.message : title,
      ...(wait !== undefined && { retryAfterSeconds: Number(wait) }),
    }
  }
}

function requestOf(context: Context): InputRequest {
  return {
    contentType: context.req.header('content-type') ?? null,
    query: (name) => context.req.query(name) ?? null,
  }
}

function togetherRejected(one: Rejected | null, other: Rejected | null): Rejected | null {
  if (!one || !other) return one ?? other
  return { count: one.count + other.count, why: `${one.why}; ${other.why}` }
}

function respond({ status, headers, body }: InputAnswer): Response {
  // The bytes have a buffer of their own.
  return new Response(body as Uint8Array<ArrayBuffer> | string | null, { status, headers })
}
