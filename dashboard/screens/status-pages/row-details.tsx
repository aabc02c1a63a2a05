import { SaidState } from '../../../src/core/status-pages/component-state.ts'
import type { FieldErrors } from '../../../src/core/validation.ts'
import {
  type ComponentDraft,
  change,
  type GroupDraft,
  groupOf,
  type ItemDraft,
  isGroup,
  isSetByHand,
  type LayoutDraft,
  nameOf,
  regroup,
} from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField, Tick } from '../../parts/field.tsx'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'
import { GroupTags } from './group-tags.tsx'

type Details<Row> = {
  row: Row
  faults: FieldErrors | undefined
  draft: LayoutDraft
  onChange: (draft: LayoutDraft) => void
  onRegroup: () => void
}

/** The public face of a row. */
export function RowDetails({ row, ...rest }: Details<ItemDraft>) {
  const { faults, draft, onChange } = rest
  return (
    <div className="grid gap-3 border-t border-line p-3 sm:grid-cols-2">
      <TextField
        label={isGroup(row) ? t('Name of the group') : t('Public name')}
        value={row.name}
        faults={faults?.name}
        autoComplete="off"
        onChange={({ target }) => onChange(change(draft, row.key, { name: target.value }))}
      />
      {isGroup(row) ? <GroupFields row={row} {...rest} /> : <ComponentFields row={row} {...rest} />}
    </div>
  )
}

function GroupFields({ row, faults, draft, onChange }: Details<GroupDraft>) {
  return (
    <>
      <div className="sm:pt-8">
        <Tick
          label={t('Open at first')}
          hint={t('A closed group shows its worst state, and opens with a click.')}
          checked={row.is_open}
          onChange={({ target }) => onChange(change(draft, row.key, { is_open: target.checked }))}
        />
      </div>
      <GroupTags
        group={row}
        draft={draft}
        faults={faults?.tags}
        onChange={(tags) => onChange(change(draft, row.key, { tags }))}
      />
    </>
  )
}

function ComponentFields({ row, faults, draft, onChange, onRegroup }: Details<ComponentDraft>) {
  const groups = draft.filter(isGroup)
  return (
    <>
      <TextField
        label={t('Public description')}
        value={row.description}
        faults={faults?.description}
        autoComplete="off"
        onChange={({ target }) => onChange(change(draft, row.key, { description: target.value }))}
      />
      {groups.length > 0 && (
        <SelectField
          label={t('Group')}
          value={groupOf(draft, row.key)?.key ?? ''}
          data-group-of={row.key}
          onChange={({ target }) => {
            onChange(regroup(draft, row.key, target.value || null))
            onRegroup()
          }}
        >
          <option value="">{t('None')}</option>
          {groups.map((group) => (
            <option key={group.key} value={group.key}>
              {nameOf(group)}
            </option>
          ))}
        </SelectField>
      )}
      {isSetByHand(row) && (
        <SelectField
          label={t('State')}
          value={row.state}
          onChange={({ target }) =>
            onChange(change(draft, row.key, { state: SaidState.parse(target.value) }))
          }
        >
          {SaidState.options.map((state) => (
            <option key={state} value={state}>
              {STATE_WORDS[state]}
            </option>
          ))}
        </SelectField>
      )}
      <div className="flex flex-col gap-2.5 sm:col-span-2 sm:flex-row sm:gap-6">
        <Tick
          label={t('Show uptime and daily bars')}
          checked={row.shows_uptime}
          onChange={({ target }) => onChange(change(draft, row.key, { shows_uptime: target.checked }))}
        />
        {row.monitor !== null && (
          <Tick
            label={t('Show response times')}
            checked={row.shows_chart}
            onChange={({ target }) => onChange(change(draft, row.key, { shows_chart: target.checked }))}
          />
        )}
      </div>
    </>
  )
}
