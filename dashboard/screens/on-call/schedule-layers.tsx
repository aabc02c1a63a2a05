import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { t } from '../../language/language.ts'
import { sayHours, sayRotation } from '../../parts/on-call/layer-words.ts'
import { lookOf } from '../../parts/on-call/participant-look.ts'
import { Panel } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'

/** The rotations of a schedule, the one that wins last. */
export function Layers({ schedule: { layers, participants } }: { schedule: ScheduleDetail }) {
  return (
    <Panel title={t('Layers')}>
      <Rows label={t('Layers')}>
        {layers.map((layer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: layers are known by their places
          <Row key={index} title={t('Layer {number}', { number: index + 1 })}>
            <p>{sayRotation(layer)}</p>
            {layer.hours && <p>{sayHours(layer.hours)}</p>}
            <ol className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-ink">
              {layer.rotation.map((key, turn) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a participant may have several turns
                <li key={turn} className="flex min-w-0 items-center gap-1.5">
                  <span
                    aria-hidden
                    className={`size-2.5 shrink-0 rounded-full ${lookOf(key, participants).dot}`}
                  />
                  <span className="truncate">
                    {participants.find((participant) => participant.key === key)?.name}
                  </span>
                </li>
              ))}
            </ol>
          </Row>
        ))}
      </Rows>
      {layers.length > 1 && (
        <p className="border-t border-line px-4 py-2 text-sm text-soft">
          {t('Where several layers have someone on call, the last one wins.')}
        </p>
      )}
    </Panel>
  )
}
