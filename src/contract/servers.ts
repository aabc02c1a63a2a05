import * as z from 'zod'
import { instantParameter, integerParameter } from '../core/lists/parameter.ts'
import { SERVER_LIST } from '../core/lists/server-list.ts'
import { PageMeta } from '../core/pagination.ts'
import { ServerSettings } from '../core/servers/server.ts'
import {
  MAX_SERVER_INCIDENTS,
  ServerDetail,
  ServerHistory,
  ServerIncident,
  ServerInstall,
  ServerLimits,
  ServerRow,
} from '../core/servers/shown-server.ts'
import { withoutSchemaDefaults } from '../core/shape.ts'
import { many, one, subjectPage } from './envelope.ts'
import type { Operation } from './operation.ts'

const PATH = '/servers'
const ONE = `${PATH}/{server}`
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const

export const serverOperations = {
  listServers: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List servers',
    access: 'read',
    query: SERVER_LIST.query,
    status: 200,
    output: subjectPage(ServerRow).extend({ meta: PageMeta.extend(ServerLimits.shape) }),
    errors: ['validationFailed'],
  },
  createServer: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Create a server, which waits for its first report',
    access: 'write',
    body: ServerSettings,
    status: 201,
    output: one(ServerDetail),
    errors: ['planLimitReached', ...BODY_ERRORS],
  },
  getServer: {
    internal: true,
    method: 'GET',
    path: ONE,
    summary: 'Show a server',
    access: 'read',
    status: 200,
    output: one(ServerDetail),
    errors: ['notFound'],
  },
  updateServer: {
    internal: true,
    method: 'PATCH',
    path: ONE,
    summary: 'Change a server',
    access: 'write',
    body: z.object(withoutSchemaDefaults(ServerSettings.shape)).partial(),
    status: 200,
    output: one(ServerDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteServer: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a server and its history',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  restoreServer: {
    internal: true,
    method: 'POST',
    path: '/deleted-servers/{deletedServer}/restore',
    summary: 'Take back the deletion of a server, within an hour',
    access: 'write',
    status: 200,
    output: one(ServerDetail),
    errors: ['notFound', 'planLimitReached', 'validationFailed'],
  },
  getServerInstall: {
    internal: true,
    method: 'GET',
    path: `${ONE}/install`,
    summary: 'Show how to install the agent, with the secret address of the server',
    access: 'write',
    status: 200,
    output: one(ServerInstall),
    errors: ['notFound'],
  },
  rotateServerToken: {
    internal: true,
    method: 'POST',
    path: `${ONE}/token`,
    summary: 'Give a server a new secret address; the old one stops working',
    access: 'write',
    status: 200,
    output: one(ServerInstall),
    errors: ['notFound'],
  },
  getServerHistory: {
    internal: true,
    method: 'GET',
    path: `${ONE}/history`,
    summary: 'Show the figures of a server over time',
    access: 'read',
    query: z.object({ from: instantParameter(), to: instantParameter() }),
    status: 200,
    output: one(ServerHistory),
    errors: ['notFound', 'validationFailed'],
  },
  listServerIncidents: {
    internal: true,
    method: 'GET',
    path: '/server-incidents',
    summary: 'List incidents of servers, newest first',
    access: 'read',
    query: z.object({ server: integerParameter(1).optional() }),
    status: 200,
    output: many(ServerIncident, MAX_SERVER_INCIDENTS),
    errors: ['validationFailed'],
  },
} as const satisfies Record<string, Operation & { internal: true }>
