import { useState } from 'react'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Tick } from '../parts/field.tsx'
import { KEY_LOOK, keysOf, SHORTCUTS, SINGLE_KEYS } from './shortcuts.ts'
import { areSingleKeysOn, turnSingleKeys } from './use-shortcuts.ts'

/** Lists the shortcuts, and turns off those of one key. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Keyboard shortcuts')} open onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
        {SHORTCUTS.map((shortcut) => (
          <div key={shortcut.shown} className="contents">
            <dt>
              <kbd className={KEY_LOOK}>{keysOf(shortcut)}</kbd>
            </dt>
            <dd>{shortcut.label}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 flex flex-wrap items-start justify-between gap-4 border-t border-line pt-4">
        <SingleKeys />
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  )
}

function SingleKeys() {
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <Tick
      label={t('Use single keys')}
      hint={t('In this browser: {keys}', { keys: SINGLE_KEYS.join(', ') })}
      checked={isOn}
      onChange={({ target }) => {
        turnSingleKeys(target.checked)
        setOn(target.checked)
      }}
    />
  )
}
