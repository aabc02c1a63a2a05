import { cutCause } from '../monitors/cause.ts'
import { containerStopped, containerUnhealthy, noContainer } from '../monitors/types/causes.ts'
import type { NamedKind, Reading, Thresholds } from './condition.ts'
import {
  type Container,
  fullUnitName,
  type Hosted,
  isContainerTrouble,
  isUnitTrouble,
  restartsWithinHour,
  sayUnitState,
} from './hosted.ts'

/** Whether one is in trouble, and what it is; null where that is not known, or not settled yet. */
type Found = { isTrouble: boolean | null; says: string }

/**
 * Values of the thresholds of containers and units. A list that was not told, or only a part of one, says nothing of what is
 * absent from it: that is trouble of the agent, and no incident.
 */
export function hostedReadings(hosted: Hosted, thresholds: Thresholds, at: Date): Reading[] {
  const { container_restarts: restarts } = thresholds
  const counted = restarts.is_on && hosted.containers?.told !== 'none' ? hosted.containers?.list : null
  return [
    ...named('container', thresholds, (name) => findContainer(hosted, name)),
    ...(counted ?? []).flatMap((container): Reading[] =>
      container.restarts === null
        ? []
        : [{ kind: 'container_restarts', part: container.name, value: restartsWithinHour(container, at) }],
    ),
    ...named('unit', thresholds, (name) => findUnit(hosted, name)),
  ]
}

function named(kind: NamedKind, thresholds: Thresholds, find: (name: string) => Found | null): Reading[] {
  const { is_on, names } = thresholds[kind]
  if (!is_on) return []
  return names.flatMap((part) => {
    const isTrouble = find(part)?.isTrouble ?? null
    return isTrouble === null ? [] : [{ kind, part, value: Number(isTrouble) }]
  })
}

function findContainer({ containers }: Hosted, name: string): Found | null {
  if (containers === null || containers.told === 'none') return null
  const found = containers.list.find((container) => container.name === name)
  if (found) return { isTrouble: isContainerTrouble(found), says: sayState(found) }
  return containers.told === 'all' ? { isTrouble: true, says: noContainer(name) } : null
}

function sayState({ name, state, health, exit_code, restarts }: Container): string {
  if (state !== 'running') {
    const code = { exitCode: exit_code ?? 0, restarts: restarts ?? 0 }
    return containerStopped(name, { status: state, isOutOfMemory: false, error: '', ...code })
  }
  if (health === 'unhealthy') return containerUnhealthy(name, '')
  return `container ${name} is running${health === 'healthy' ? ' and healthy' : ''}`
}

function findUnit({ units }: Hosted, name: string): Found | null {
  if (units === null || units.told === 'none') return null
  const full = fullUnitName(name)
  const found = units.list.find((unit) => unit.name === full)
  if (found) return { isTrouble: isUnitTrouble(found), says: `unit ${full} is ${sayUnitState(found)}` }
  return units.told === 'all' ? { isTrouble: true, says: `unit ${full} is not loaded` } : null
}

/** Whether it is absent from a list that was told as a whole. */
export function isContainerGone(hosted: Hosted | null, name: string): boolean {
  const containers = hosted?.containers
  return containers?.told === 'all' && !containers.list.some((container) => container.name === name)
}

/*
 * Sentences, as those of condition-causes.ts are: why a condition of a container or unit begins, and how it ends.
 */

export function sayContainer(hosted: Hosted | null, name: string): string {
  return cutCause((hosted && findContainer(hosted, name)?.says) ?? noContainer(name))
}

export function sayRestarts(name: string, count: number): string {
  const times = count === 1 ? 'once' : `${count} times`
  return cutCause(
    count === 0
      ? `container ${name} was not restarted within an hour`
      : `container ${name} was restarted ${times} within an hour`,
  )
}

export function sayUnit(hosted: Hosted | null, name: string): string {
  return cutCause((hosted && findUnit(hosted, name)?.says) ?? `unit ${fullUnitName(name)} is not loaded`)
}

export function goneContainer(name: string): string {
  return cutCause(`there is no container ${name} any more`)
}
