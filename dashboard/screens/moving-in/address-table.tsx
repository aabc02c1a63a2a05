import { Link } from '@tanstack/react-router'
import { hasInterval } from '../../../src/core/monitors/monitor-types.ts'
import { targetOf } from '../../../src/core/monitors/target.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'
import { useTeam } from '../../data/session.ts'
import { sayOptions } from '../../forms/monitors/option-words.ts'
import { t } from '../../language/language.ts'
import { sayInterval } from '../../parts/figures.ts'
import { typeWord } from '../../parts/monitors/type-word.ts'
import { Panel } from '../../parts/panel.tsx'
import type { Fate } from './fates.ts'

/** The rows of a list: each is added, was added, or cannot be. */
export function AddressTable({ fates }: { fates: readonly Fate[] }) {
  return (
    <Panel title={t('Preview')}>
      <table className="w-full border-collapse max-md:block">
        <caption className="sr-only">{t('Monitors of the list')}</caption>
        <thead className="text-left text-sm text-soft max-md:sr-only">
          <tr className="border-b border-line">
            <th className="w-14 py-2 pl-4 text-right font-medium">{t('Row')}</th>
            <th className="px-3 py-2 font-medium">{t('Name')}</th>
            <th className="w-32 px-3 py-2 font-medium">{t('Type')}</th>
            <th className="w-24 px-3 py-2 font-medium">{t('Interval')}</th>
            <th className="w-80 px-3 py-2 font-medium">{t('Outcome')}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block">
          {fates.map((fate) => (
            <Line key={fate.row.row} fate={fate} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Line({ fate }: { fate: Fate }) {
  const { row, wanted } = fate
  return (
    <tr data-row className="max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:px-4 max-md:py-2">
      <td className="py-2 pl-4 text-right align-top text-sm text-soft max-md:p-0">{row.row}</td>
      <td className="min-w-0 px-3 py-2 align-top break-all max-md:basis-[85%] max-md:p-0">
        <span className="font-medium">{wanted?.name ?? row.given}</span>
        {wanted && targetOf(wanted) !== wanted.name && (
          <span className="block text-sm text-soft">{targetOf(wanted)}</span>
        )}
        {wanted?.options && (
          <span className="block text-sm break-words text-soft">{sayOptions(wanted.options)}</span>
        )}
      </td>
      <td className="px-3 py-2 align-top max-md:p-0">{wanted && typeWord(wanted.type)}</td>
      <td className="px-3 py-2 align-top whitespace-nowrap max-md:p-0">
        {wanted && hasInterval(wanted.type) && sayInterval(intervalSecondsOf(wanted))}
      </td>
      <td className="px-3 py-2 align-top break-words max-md:basis-full max-md:p-0">
        <WhatHappens fate={fate} />
      </td>
    </tr>
  )
}

function WhatHappens({ fate: { is, monitor, reason } }: { fate: Fate }) {
  const { id: team } = useTeam()
  if (is === 'faulty') return <span className="text-down">{reason}</span>
  if (monitor === null)
    return reason === null ? (
      t('Will be added')
    ) : (
      <span className="text-down">{t('Not added: {reason}', { reason })}</span>
    )
  const params = { team: String(team), monitor: String(monitor.id) }
  return (
    <span className={is === 'added' ? 'text-up' : 'text-soft'}>
      {is === 'added' ? t('Added:') : t('There already, left alone:')}{' '}
      <Link to="/teams/$team/monitors/$monitor" params={params} className="break-all underline">
        {monitor.name}
      </Link>
    </span>
  )
}
