import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../scope.ts'

type Certificate = { cert: string; key: string; ca?: string; requestCert?: boolean }

export type Container = { State: object; [part: string]: unknown }

export type DockerApiOptions = {
  /** Those that are there, by name; one that runs unless they are given. */
  containers?: Record<string, Container>
  certificate?: Certificate
  /** A path to listen at, in place of a port. */
  path?: string
  /** Answers instead. */
  instead?: (request: IncomingMessage, response: ServerResponse) => void
}

/** The document about a container that runs, as Docker 20.10 writes it, in part. */
export function container(state: object = {}, more: object = {}): Container {
  return {
    Id: '4fa6e0f0c678',
    Name: '/web',
    Created: '2026-11-30T10:00:00.123456789Z',
    Path: 'server',
    Args: ['--password', 'hunter22'],
    Image: `sha256:${'a'.repeat(64)}`,
    Platform: 'linux',
    RestartCount: 0,
    Mounts: [],
    State: {
      ...{
        Status: 'running',
        Running: true,
        Paused: false,
        Restarting: false,
        OOMKilled: false,
        Dead: false,
      },
      ...{ Pid: 4_711, ExitCode: 0, Error: '' },
      ...{ StartedAt: '2026-11-30T10:00:01.5Z', FinishedAt: '0001-01-01T00:00:00Z' },
      ...state,
    },
    Config: {
      Image: 'shop/web:1.2',
      Env: ['TOKEN=hunter22'],
      Labels: { 'com.docker.compose.project': 'shop' },
    },
    ...more,
  }
}

export const EXITED = { Status: 'exited', Running: false, Pid: 0 }

/** A container with a health check; `output` is what its last run has written. */
export function withHealth(status: 'starting' | 'healthy' | 'unhealthy', output = ''): Container {
  const log = output === '' ? [] : [{ Start: '', End: '', ExitCode: 1, Output: output }]
  return container({ Health: { Status: status, FailingStreak: log.length, Log: log } })
}

/**
 * A server that answers `GET /containers/{name}/json` as the Docker Engine API says (docs.docker.com/reference/api/engine), over TCP, TLS or a socket
 * of this machine. `asked` has each request line and the subject of the client's certificate.
 */
export async function startDockerApi(
  scope: Pick<Scope, 'after'>,
  { containers = { web: container() }, certificate, path, instead }: DockerApiOptions = {},
): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`)
    if (instead) return instead(request, response)
    const [, name = ''] = /^\/containers\/([^/]+)\/json$/.exec(request.url ?? '') ?? []
    const found = Object.hasOwn(containers, name) ? containers[name] : undefined
    response.setHeader('Api-Version', '1.41').setHeader('Content-Type', 'application/json')
    if (request.method !== 'GET' || found === undefined) response.statusCode = 404
    response.end(`${JSON.stringify(found ?? { message: `No such container: ${name}` })}\n`)
  }
  const server = certificate ? https.createServer(certificate, answer) : http.createServer(answer)
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(path, resolve)
  })
  scope.after(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  return { port: address === null || typeof address === 'string' ? 0 : (address as AddressInfo).port, asked }
}
