import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { phrase } from '../../../src/core/language/phrase.ts'
import type { BulkAction } from '../../../src/core/monitors/monitor-row.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { CheckBulk } from '../../forms/monitors/bulk/check-bulk.tsx'
import { SettingsBulk } from '../../forms/monitors/bulk/settings-bulk.tsx'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { type Chosen, ChosenSummary, sayNames } from '../../parts/lists/chosen.tsx'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { MenuButton, MenuItem } from '../../parts/menu.tsx'
import { useUndo } from '../../parts/records/use-undo.ts'
import { TagBulk } from '../../parts/tags/tag-bulk.tsx'

const DONE = {
  pause: phrase('{count, plural, one {# monitor paused} other {# monitors paused}}'),
  resume: phrase('{count, plural, one {# monitor resumed} other {# monitors resumed}}'),
  delete: phrase('{count, plural, one {# monitor deleted} other {# monitors deleted}}'),
  attach: phrase(
    '{count, plural, one {# monitor will alert this contact} other {# monitors will alert this contact}}',
  ),
  detach: phrase(
    '{count, plural, one {# monitor will no longer alert this contact} other {# monitors will no longer alert this contact}}',
  ),
} as const satisfies Record<BulkAction, string>

/** Actions on all selected monitors at once. */
export function MonitorBulk(choice: Chosen) {
  const { chosen, names, onDone, onClear } = choice
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isDeleting, setDeleting] = useState(false)
  const undo = useUndo({ of: 'Monitor' })
  const { data: contacts } = useQuery(question(team, 'listContacts', {}))
  const { mutate, isPending } = useMutation({
    mutationFn: ({ action, contact }: { action: BulkAction; contact?: number }) =>
      ask(team, 'changeMonitors', {
        body: { action, monitor_ids: [...chosen], notification_contact_id: contact ?? null },
      }),
    onSuccess: ({ data: { changed } }, { action }) => {
      say.done(t(DONE[action], { count: changed }), action === 'delete' ? undo([...chosen]) : undefined)
      setDeleting(false)
      onDone()
    },
    onError: say.problem,
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team }),
  })

  return (
    <div
      role="toolbar"
      aria-label={t('Selected monitors')}
      className="sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel px-4 py-2 shadow lg:top-2"
    >
      <ChosenSummary {...choice} />
      <Button size="small" busy={isPending} onClick={() => mutate({ action: 'pause' })}>
        {t('Pause')}
      </Button>
      <Button size="small" busy={isPending} onClick={() => mutate({ action: 'resume' })}>
        {t('Resume')}
      </Button>
      <CheckBulk chosen={chosen} onDone={onDone} />
      <SettingsBulk chosen={chosen} onDone={onDone} />
      <TagBulk kind="monitor" chosen={chosen} onDone={onDone} />
      <MaintainMenu size="small" kind="monitor" ids={[...chosen]} onDone={onDone} />
      {(['attach', 'detach'] as const).map((action) => (
        <MenuButton
          key={action}
          button={
            <Button size="small" disabled={isPending}>
              {action === 'attach' ? t('Attach contact') : t('Detach contact')}
            </Button>
          }
        >
          {contacts?.data.map((contact) => (
            <MenuItem key={contact.id} onSelect={() => mutate({ action, contact: contact.id })}>
              {contact.name}
            </MenuItem>
          ))}
          {contacts?.data.length === 0 && (
            <MenuItem disabled onSelect={() => {}}>
              {t('No contacts yet')}
            </MenuItem>
          )}
        </MenuButton>
      ))}
      <Button size="small" tone="danger" disabled={isPending} onClick={() => setDeleting(true)}>
        {t('Delete')}
      </Button>
      <Button size="small" tone="quiet" onClick={onClear}>
        {t('Clear selection')}
      </Button>
      <Confirm
        title={t('{count, plural, one {Delete # monitor?} other {Delete # monitors?}}', {
          count: chosen.size,
        })}
        verb={t('Delete')}
        open={isDeleting}
        busy={isPending}
        onConfirm={() => mutate({ action: 'delete' })}
        onClose={() => setDeleting(false)}
      >
        <p className="mb-2 font-medium break-words">{sayNames(names)}</p>
        {t('Checks stop at once. The history is kept: you can restore the monitors under Deleted.')}
      </Confirm>
    </div>
  )
}
