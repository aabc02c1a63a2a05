import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { WEEKDAYS, type Weekday } from '../../../src/core/maintenance/recurrence.ts'
import { type LayerHours, MAX_LAYERS, MAX_TURN_UNITS } from '../../../src/core/on-call/schedule.ts'
import { t } from '../../language/language.ts'
import { DAY_NAMES } from '../../language/weekdays.ts'
import { Button, Tool } from '../../parts/button.tsx'
import { SelectField, TextField, Tick } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Form } from '../use-form.ts'
import { HoursFields } from './hours-fields.tsx'
import { RotationField } from './rotation-field.tsx'
import { type DraftLayer, layersIn, newLayer, participantsIn } from './schedule-draft.ts'

const OFFICE_HOURS: LayerHours = { days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '09:00', until: '17:00' }

/** The rotations of a schedule, which are moved up and down: a later one wins. */
export function LayersField({ form }: { form: Form }) {
  const layers = layersIn(form.draft)
  const give = (next: DraftLayer[]) => form.set('layers', JSON.stringify(next))

  function move(place: number, by: -1 | 1) {
    const next = [...layers]
    const [moved] = next.splice(place, 1)
    if (moved) give(next.toSpliced(place + by, 0, moved))
  }

  return (
    <Panel title={t('Layers')}>
      <p className="border-b border-line px-4 py-3 text-sm text-soft">
        {t('Where several layers have someone on call, the last one wins.')}
      </p>
      <ol className="divide-y divide-line">
        {layers.map((layer, place) => (
          <li key={layer.id}>
            <fieldset className="flex min-w-0 flex-col gap-4 p-4">
              <legend className="sr-only">{t('Layer {number}', { number: place + 1 })}</legend>
              <div className="flex items-center gap-2">
                <h3 className="mr-auto font-medium">{t('Layer {number}', { number: place + 1 })}</h3>
                <Tool
                  label={t('Move layer {number} up', { number: place + 1 })}
                  icon={ArrowUp}
                  disabled={place === 0}
                  onPress={() => move(place, -1)}
                />
                <Tool
                  label={t('Move layer {number} down', { number: place + 1 })}
                  icon={ArrowDown}
                  disabled={place === layers.length - 1}
                  onPress={() => move(place, 1)}
                />
                <Tool
                  label={t('Remove layer {number}', { number: place + 1 })}
                  icon={X}
                  disabled={layers.length === 1}
                  onPress={() => give(layers.filter(({ id }) => id !== layer.id))}
                />
              </div>
              <LayerFields
                form={form}
                path={`layers.${place}`}
                layer={layer}
                onChange={(part) =>
                  give(layers.map((one) => (one.id === layer.id ? { ...one, ...part } : one)))
                }
              />
            </fieldset>
          </li>
        ))}
      </ol>
      <div className="border-t border-line p-4">
        <Button
          disabled={layers.length >= MAX_LAYERS}
          onClick={() => {
            const everyone = participantsIn(form.draft).map(({ key }) => key)
            give([...layers, newLayer(layers, new Date(), everyone)])
          }}
        >
          <Plus aria-hidden size={16} />
          {t('Add layer')}
        </Button>
      </div>
    </Panel>
  )
}

type Part = {
  form: Form
  path: string
  layer: DraftLayer
  onChange: (part: Partial<DraftLayer>) => void
}

function LayerFields({ form, path, layer, onChange }: Part) {
  const { unit, every, hand_over_at, hand_over_day, starts_on, hours } = layer
  const around = (name: keyof DraftLayer) => ({
    faults: form.faults(`${path}.${name}`),
    onBlur: () => form.leave(`${path}.${name}`),
  })
  return (
    <>
      <RotationField
        participants={participantsIn(form.draft)}
        rotation={layer.rotation}
        faults={form.faults(`${path}.rotation`)}
        onGive={(rotation) => onChange({ rotation })}
      />
      <div className="grid items-start gap-3 sm:grid-cols-3 xl:grid-cols-5">
        <SelectField
          label={t('Turns by')}
          value={unit}
          onChange={({ target }) => onChange({ unit: target.value as DraftLayer['unit'] })}
        >
          <option value="week">{t('Week')}</option>
          <option value="day">{t('Day')}</option>
        </SelectField>
        <TextField
          label={unit === 'week' ? t('Weeks per turn') : t('Days per turn')}
          hint={t('1 to {max}', { max: MAX_TURN_UNITS })}
          inputMode="numeric"
          autoComplete="off"
          value={every}
          onChange={({ target }) => onChange({ every: target.value })}
          {...around('every')}
        />
        {unit === 'week' && (
          <SelectField
            label={t('Hand-over day')}
            value={hand_over_day}
            onChange={({ target }) => onChange({ hand_over_day: target.value as Weekday })}
          >
            {WEEKDAYS.map((day, index) => (
              <option key={day} value={day}>
                {DAY_NAMES[index]}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t('Hand-over time')}
          type="time"
          value={hand_over_at}
          onChange={({ target }) => onChange({ hand_over_at: target.value })}
          {...around('hand_over_at')}
        />
        <TextField
          label={t('First day')}
          type="date"
          value={starts_on}
          onChange={({ target }) => onChange({ starts_on: target.value })}
          {...around('starts_on')}
        />
      </div>
      <Tick
        label={t('Only during certain hours')}
        checked={hours !== null}
        onChange={({ target }) => onChange({ hours: target.checked ? OFFICE_HOURS : null })}
      />
      {hours && (
        <HoursFields
          form={form}
          path={`${path}.hours`}
          hours={hours}
          onChange={(next) => onChange({ hours: next })}
        />
      )}
    </>
  )
}
