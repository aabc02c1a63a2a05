import { said } from '../../core/language/said.ts'
import { readDockerHost } from '../../core/monitors/options/protocols/docker.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { type Fields, isFields, textOf } from '../fields.ts'
import type { Rule } from '../reasons.ts'

/** The container of a monitor and the Docker host that it names, which is a record of its own there. */
export function dockerFacts(monitor: Fields): Partial<MonitorFacts> {
  return {
    url: `docker://${textOf(monitor.docker_container, monitor.dockerContainer)}`,
    own: { docker_host: hostThere(monitor) },
  }
}

/** Empty where the file does not have it. */
function hostThere({ dockerHost: host }: Fields): string {
  if (!isFields(host)) return ''
  const daemon = textOf(host.docker_daemon, host.dockerDaemon)
  if (textOf(host.docker_type, host.dockerType) === 'socket')
    return daemon.startsWith('unix://') ? daemon : `unix://${daemon}`
  return daemon.replace(/^tcp:/i, 'http:')
}

const isDocker = (monitor: Fields) => textOf(monitor.type) === 'docker'

export const DOCKER_BLOCKERS: Rule[] = [
  [
    said('names a Docker host that the file does not have: import kuma.db instead'),
    (monitor) => isDocker(monitor) && hostThere(monitor) === '',
  ],
  [
    said('names a Docker host by an address that is none here: checks ask at http://, https:// or a socket'),
    (monitor) => isDocker(monitor) && readDockerHost(hostThere(monitor)) === null,
  ],
]

export const DOCKER_DIFFERENCES: Rule[] = [
  [
    said('asks a socket: the operator must allow it by DOCKER_SOCKETS'),
    (monitor) => isDocker(monitor) && hostThere(monitor).startsWith('unix:'),
  ],
  [
    said('may have had certificates in files beside the database: set them as options.tls'),
    (monitor) => isDocker(monitor) && hostThere(monitor).startsWith('https:'),
  ],
  [
    said('was pending while its health check had not run yet: here it is up, with a note'),
    (monitor) => isDocker(monitor),
  ],
]
