import { said } from '../../core/language/said.ts'
import { entryOf, type Fields, textOf, textsOf } from '../fields.ts'
import type { Rule } from '../reasons.ts'

/** The checks of Globalping, by their names there, as monitors of the types that make them. */
const OF_GLOBALPING: Record<string, (monitor: Fields) => string> = {
  ping: ({ protocol }) => (textOf(protocol).toUpperCase() === 'TCP' ? 'port' : 'ping'),
  http: (monitor) => {
    if (textOf(monitor.keyword) !== '') return 'keyword'
    return textOf(monitor.expected_value, monitor.expectedValue) === '' ? 'http' : 'json-query'
  },
  dns: () => 'dns',
}

const isRabbit = ({ type }: Fields) => textOf(type) === 'rabbitmq'

/** A monitor that asks through somebody else, or something beside its target, as the one that it comes to here. */
export function asPlainMonitor(monitor: Fields): Fields {
  if (isRabbit(monitor)) return managementOf(monitor)
  if (textOf(monitor.type) !== 'globalping') return monitor
  const type = entryOf(OF_GLOBALPING, textOf(monitor.subtype))?.(monitor)
  return type === undefined ? monitor : { ...monitor, type, isGlobalping: true }
}

/** The question about alarms, which Uptime Kuma asks the management of RabbitMQ. */
function managementOf(monitor: Fields): Fields {
  const [node = ''] = nodesOf(monitor)
  return {
    ...monitor,
    url: `${node.replace(/\/*$/, '')}/api/health/checks/alarms/`,
    method: 'GET',
    accepted_statuscodes: ['200'],
    auth_method: 'basic',
    basic_auth_user: textOf(monitor.rabbitmq_username, monitor.rabbitmqUsername),
    basic_auth_pass: textOf(monitor.rabbitmq_password, monitor.rabbitmqPassword),
  }
}

function nodesOf(monitor: Fields): string[] {
  return textsOf(monitor.rabbitmq_nodes ?? monitor.rabbitmqNodes)
}

export const ELSEWHERE_BLOCKERS: Rule[] = [
  [
    said(
      'asks several nodes of RabbitMQ: here an http monitor of each does, in a group of which one must be up',
    ),
    (monitor) => isRabbit(monitor) && nodesOf(monitor).length !== 1,
  ],
  [
    said('judges records by a pattern: checks here judge them by assertions'),
    (monitor, type) => type === 'dns' && monitor.isGlobalping === true && textOf(monitor.keyword) !== '',
  ],
]

export const ELSEWHERE_DIFFERENCES: Rule[] = [
  [
    said('was checked from places of Globalping: here it is from the regions of this service'),
    (monitor) => monitor.isGlobalping === true,
  ],
]
