import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import {
  type Container,
  container,
  type DockerApiOptions,
  EXITED,
  startDockerApi,
  withHealth,
} from '../support/protocols/docker-api.ts'
import { resetSocket } from '../support/reset-socket.ts'
import type { Scope } from '../support/scope.ts'
import { createAuthority, selfSigned } from '../support/servers/certificates.ts'
import { closedPort, startSaying, startTcp } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Case, Group, Started } from './case.ts'

const authority = createAuthority('Containers of the catalogue')
const trusting = { network: testNetwork({ extraAuthorities: [authority.pem] }), authority: authority.pem }
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'docker.example', validForDays: -3.5 })

const verdict = (cause: string | null) => ({
  type: 'docker' as const,
  status: cause === null ? ('up' as const) : ('down' as const),
  cause,
})

function leadingTo(host: string, more: MonitorOptions = {}): Pick<Started, 'settings' | 'words'> {
  const settings: Partial<ProbeSettings> = { url: 'docker://web', options: { docker_host: host, ...more } }
  return { settings, words: { address: host.replace(/^\w+:\/\//, '') } }
}

const api = (name: string, cause: string | null, server: DockerApiOptions): Case => ({
  ...{ name, ...verdict(cause) },
  start: async (scope) => {
    const { port } = await startDockerApi(scope, server)
    const scheme = server.certificate ? 'https' : 'http'
    return { ...trusting, ...leadingTo(`${scheme}://127.0.0.1:${port}`) }
  },
})

const about = (name: string, cause: string | null, web: Container): Case =>
  api(name, cause, { containers: { web } })

const answering = (name: string, cause: string, instead: (response: ServerResponse) => void): Case =>
  api(name, cause, { instead: (_, response) => instead(response) })

const tcp = (name: string, cause: string, start: (scope: Scope) => Promise<{ port: number }>): Case => ({
  ...{ name, ...verdict(cause) },
  start: async (scope) => {
    const { port } = await start(scope)
    return leadingTo(`http://127.0.0.1:${port}`)
  },
})

/** A socket of this machine, that the operator allows or not. */
const socket = (
  name: string,
  cause: string | null,
  listen: (scope: Scope, path: string) => Promise<unknown>,
  isAllowed = true,
): Case => ({
  ...{ name, ...verdict(cause) },
  start: async (scope) => {
    const path = join(temporaryFolder(scope), 'docker.sock')
    await listen(scope, path)
    const { settings } = leadingTo(`unix://${path}`)
    return { settings, words: { path }, network: testNetwork({ sockets: isAllowed ? [path] : [] }) }
  },
})

function endlessly(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536, ' ')
  const write = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

/** Checks of containers, by an API of Docker. */
export const containers: Group = {
  title: 'Containers',
  cases: [
    about(
      'The container was killed for the memory it used',
      'container web has exited with 137 (out of memory)',
      container({ ...EXITED, ExitCode: 137, OOMKilled: true }),
    ),
    about(
      'The container has ended',
      'container web has exited with 0',
      container({ ...EXITED, ExitCode: 0 }),
    ),
    about(
      'The container could not be started again',
      'container web has exited with 127 ("exec: "serve": executable file not found in $PATH")',
      container({ ...EXITED, ExitCode: 127, Error: 'exec: "serve": executable file not found in $PATH' }),
    ),
    about(
      'The container ends again and again',
      'container web is restarting after it has exited with 1, 7 times so far',
      container({ Status: 'restarting', Restarting: true, ExitCode: 1 }, { RestartCount: 7 }),
    ),
    about(
      'The container was only created',
      'container web was never started',
      container({ ...EXITED, Status: 'created' }),
    ),
    about(
      'The container is paused',
      'container web is paused',
      container({ Status: 'paused', Paused: true }),
    ),
    about(
      'The health check of the container fails',
      'container web is unhealthy ("connect: connection refused")',
      withHealth('unhealthy', 'trying\nconnect: connection refused\n\n'),
    ),
    about('The same, without a word', 'container web is unhealthy', withHealth('unhealthy')),
    about('The health check of the container has not run yet: up, with a note', null, withHealth('starting')),
    api('There is no such container', 'there is no container web', { containers: {} }),
    answering('Docker is in trouble', 'Docker: HTTP 500 ("no space left on device")', (response) =>
      response.writeHead(500).end('{"message": "no space left on device"}'),
    ),
    answering('Something before Docker wants a sign-in', 'HTTP 401 (expected 200)', (response) =>
      response.writeHead(401).end('<h1>Unauthorized</h1>'),
    ),
    answering('A website answers', 'HTTP 404 (expected 200)', (response) =>
      response.writeHead(404).end('<h1>Not Found</h1>'),
    ),
    answering('The same, with success', 'Docker: the answer is not as this protocol has it', (response) =>
      response.end('<h1>Hello</h1>'),
    ),
    answering('Some other JSON comes back', 'Docker: the answer is not as this protocol has it', (response) =>
      response.end('{"State": {"Status": 7}}'),
    ),
    answering('The answer has no end', 'Docker: the answer is not as this protocol has it', endlessly),
    answering('The answer is cut off', 'connection closed before the answer was complete', (response) => {
      response.writeHead(200, { 'content-length': 5_000 })
      response.write('{"State": {', () => response.destroy())
    }),
    answering(
      'The API is one of TLS, and asked without it',
      'no HTTP here: <address> speaks TLS (https)',
      (response) => response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n'),
    ),
    api('The certificate has expired', 'certificate expired 3 days ago (CN=docker.example)', {
      certificate: expired,
    }),
    api(
      'The certificate is from an authority of its own, which the monitor does not have',
      'certificate is self-signed (CN=docker.example)',
      { certificate: selfSigned({ names: ['127.0.0.1'], commonName: 'docker.example' }) },
    ),
    {
      ...{ name: 'A client certificate is wanted, and the monitor has none' },
      ...verdict('TLS handshake failed: the server asks for a client certificate'),
      start: async (scope) => {
        const wanting = { ...certificate, ca: authority.pem, requestCert: true }
        const { port } = await startDockerApi(scope, { certificate: wanting })
        return { ...trusting, ...leadingTo(`https://127.0.0.1:${port}`) }
      },
    },
    tcp('Nothing listens there', 'connection refused by <address>', async (scope) => ({
      port: await closedPort(scope),
    })),
    tcp('The server hangs up', 'connection closed before the answer was complete', (scope) =>
      startTcp(scope, (connection) => connection.once('data', () => connection.end())),
    ),
    tcp('The connection is reset', 'connection reset by <address>', (scope) =>
      startTcp(scope, (connection) => connection.once('data', () => resetSocket(connection))),
    ),
    tcp('Something else listens there', 'invalid HTTP answer: Expected HTTP/, RTSP/ or ICE/', (scope) =>
      startSaying(scope, 'SSH-2.0-OpenSSH_9.2\r\n'),
    ),
    {
      ...{ name: 'The server accepts, and says nothing', atLimit: true },
      ...verdict('no answer within <limit> s (connected, waiting for the first byte)'),
      start: async (scope) => {
        const heard = Promise.withResolvers<unknown>()
        const target = await startTcp(scope, (connection) => connection.once('data', heard.resolve))
        const led = leadingTo(`http://127.0.0.1:${target.port}`)
        return { ...led, targets: [target], saidAll: () => heard.promise }
      },
    },
    socket(
      'A socket that the operator does not list',
      'socket <path> is not allowed',
      (scope, path) => startDockerApi(scope, { path }),
      false,
    ),
    socket('A socket that is not there', 'there is no socket <path>', async () => {}),
    socket('No container of this name behind a socket', 'there is no container web', (scope, path) =>
      startDockerApi(scope, { path, containers: {} }),
    ),
  ],
}
