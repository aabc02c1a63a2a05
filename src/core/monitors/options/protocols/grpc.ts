import { phrase } from '../../../language/phrase.ts'
import { issueOf, said } from '../../../language/said.ts'
import { text } from '../../../text.ts'
import { hasOption } from '../../monitor-types.ts'
import type { Option } from '../option.ts'
import { SentText } from '../request.ts'

const MAX_NAME_LENGTH = 500
const METHOD = /^[A-Za-z_][\w.]*\/[A-Za-z_]\w*$/

const Method = text(MAX_NAME_LENGTH).superRefine((value, context) => {
  if (!METHOD.test(value))
    context.addIssue(issueOf(said('must be a method with its service, such as shop.Orders/Get')))
})

const Request = SentText.superRefine((value, context) => {
  if (!isJson(value)) context.addIssue(issueOf(said('must be JSON')))
})

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

/** Options of a call of gRPC. */
export const GRPC = {
  service: {
    schema: text(MAX_NAME_LENGTH).min(1),
    description: 'Name of the service whose health is asked for; without it, that of the server as a whole.',
    group: 'request',
    label: phrase('Service'),
    hint: phrase('Such as shop.Orders. Without it, the server is asked about itself as a whole.'),
    has: (type) => hasOption(type, 'service'),
    default: null,
    clashes: (_value, _around, { method }) =>
      (method ?? null) === null
        ? []
        : [{ at: [], message: said('must be left out beside `method`, which names its service itself') }],
  },
  method: {
    schema: Method,
    description:
      'Method that is called in place of the health check, such as `shop.Orders/Get`. The server must offer reflection. It must not stream.',
    group: 'request',
    label: phrase('Method'),
    hint: phrase('Such as shop.Orders/Get. It is called in place of the health check, by reflection.'),
    has: (type) => hasOption(type, 'method'),
    default: null,
  },
  request: {
    schema: Request,
    description: 'Message that `method` is called with, as JSON; an empty one without it.',
    group: 'request',
    label: phrase('Request message'),
    hint: phrase('The message that the method is called with, as JSON.'),
    has: (type) => hasOption(type, 'request'),
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
    clashes: (_value, _around, { method }) =>
      (method ?? null) === null
        ? [{ at: [], message: said('must be left out without `method`, which it is sent to') }]
        : [],
  },
} as const satisfies Record<string, Option>
