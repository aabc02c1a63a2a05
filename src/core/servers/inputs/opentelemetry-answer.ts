import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { type InputAnswer, type InputRefusal, type Rejected, retryAfter } from './answer.ts'

/** The codes of google.rpc.Code, by status. */
const CODES: Record<InputRefusal['status'], number> = {
  400: 3,
  404: 5,
  409: 9,
  413: 8,
  415: 3,
  429: 8,
  500: 13,
  503: 14,
}

/** An ExportMetricsServiceResponse: empty, or with what was rejected, in the encoding of the request. */
export function exportResponse(isJson: boolean, rejected: Rejected | null): InputAnswer {
  if (isJson) {
    const partialSuccess = rejected && {
      rejectedDataPoints: String(rejected.count),
      errorMessage: rejected.why,
    }
    return json(200, partialSuccess ? { partialSuccess } : {})
  }
  const writer = new BinaryWriter()
  if (rejected) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int64(rejected.count)
    writer.tag(2, WireType.LengthDelimited).string(rejected.why)
    writer.join()
  }
  return protobuf(200, writer.finish())
}

/** A google.rpc.Status. Senders retry only what is 429 or 503. */
export function statusResponse(isJson: boolean, refusal: InputRefusal): InputAnswer {
  const { status, detail } = refusal
  const code = CODES[status]
  if (isJson) return json(status, { code, message: detail }, retryAfter(refusal))
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  writer.tag(2, WireType.LengthDelimited).string(detail)
  return protobuf(status, writer.finish(), retryAfter(refusal))
}

function json(status: number, body: object, headers: Record<string, string> = {}): InputAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

function protobuf(status: number, body: Uint8Array, headers: Record<string, string> = {}): InputAnswer {
  return { status, headers: { 'content-type': 'application/x-protobuf', ...headers }, body }
}
