import { phrase } from '../../../language/phrase.ts'
import { issueOf, said } from '../../../language/said.ts'
import { text, unreadableFault } from '../../../text.ts'
import { hasOption } from '../../monitor-types.ts'
import { socketPathOf } from '../../target.ts'
import type { Option } from '../option.ts'

const MAX_HOST_LENGTH = 500
/** Where a Docker API answers. */
export type DockerHost = { kind: 'socket'; path: string } | { kind: 'web'; url: URL }

/** Reads `https://host:2376`, `http://host:2375` or `unix:///path`; null for anything else. */
export function readDockerHost(written: string): DockerHost | null {
  const path = socketPathOf(written)
  if (path !== null) return { kind: 'socket', path }
  const url = /^https?:/i.test(written) ? URL.parse(written) : null
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash && url.pathname === '/'
  return isPlain ? { kind: 'web', url } : null
}

const Host = text(MAX_HOST_LENGTH).superRefine((value, context) => {
  const fault = unreadableFault(value)
  if (fault) context.addIssue(issueOf(fault))
  else if (readDockerHost(value) === null)
    context.addIssue(
      issueOf(
        said(
          'must be https:// or http:// with a host and its port, such as https://docker.example.com:2376, or unix:// with the path of a socket',
        ),
      ),
    )
})

/** Options of the way to a network, which a socket of this machine has none of. */
const OF_NETWORKS = ['ip_version', 'resolver', 'proxy', 'tls'] as const

/** The option of which Docker API is asked. */
export const DOCKER = {
  docker_host: {
    schema: Host,
    description:
      'Where the Docker API answers: `https://HOST:2376` with a client certificate in `tls`, `http://HOST:2375`, or `unix:///PATH` for a socket that the operator allows in `DOCKER_SOCKETS`.',
    group: 'request',
    label: phrase('Docker host'),
    hint: phrase(
      'https://host:2376, http://host:2375, or unix:///path of a socket that the operator allows.',
    ),
    has: (type) => hasOption(type, 'docker_host'),
    default: null,
    addresses: (value) => [{ at: [], url: String(value) }],
    clashes: (value, _around, others) => {
      if (socketPathOf(String(value)) === null) return []
      const name = OF_NETWORKS.find((one) => (others[one] ?? null) !== null)
      if (name === undefined) return []
      return [{ at: [], message: said('is a socket of the machine itself, which takes no {name}', { name }) }]
    },
  },
} as const satisfies Record<string, Option>
