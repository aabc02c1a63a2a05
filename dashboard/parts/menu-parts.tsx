import { DropdownMenu } from 'radix-ui'
import { createContext, type ReactElement, type ReactNode, useContext, useRef } from 'react'
import type { ChoiceOfOne } from './segments.tsx'

export type Menu = {
  button: ReactElement<{ onClick?: () => void }>
  children: ReactNode
  align?: 'start' | 'end'
}

/** Has an action begin once the menu is gone and its button has the focus: a dialog gives it back to there. */
const AfterMenu = createContext((act: () => void) => act())

/** A button with a list of actions below it. */
export function MenuButton({
  button,
  children,
  align = 'end',
  isOpenAtFirst,
}: Menu & { isOpenAtFirst: boolean }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const chosen = useRef<(() => void) | null>(null)
  function actAfterClose() {
    const act = chosen.current
    chosen.current = null
    if (!act) return
    trigger.current?.focus()
    act()
  }
  return (
    // Not modal: a modal menu would put a style element into the page, which our security policy refuses.
    <DropdownMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
      <DropdownMenu.Trigger asChild ref={trigger}>
        {button}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          onCloseAutoFocus={actAfterClose}
          className="z-40 max-h-[min(32rem,var(--radix-dropdown-menu-content-available-height))] min-w-48 overflow-y-auto rounded-lg border border-line bg-panel p-1 shadow-float"
        >
          <AfterMenu
            value={(act) => {
              chosen.current = act
            }}
          >
            {children}
          </AfterMenu>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const ITEM =
  'flex min-h-9 w-full cursor-pointer items-center gap-2 rounded px-2.5 text-left outline-none data-[highlighted]:bg-sunken data-[disabled]:opacity-50'

export function MenuItem({
  onSelect,
  children,
  tone = 'plain',
  disabled = false,
}: {
  onSelect: () => void
  children: ReactNode
  tone?: 'plain' | 'danger'
  disabled?: boolean
}) {
  const afterMenu = useContext(AfterMenu)
  return (
    <DropdownMenu.Item
      onSelect={() => afterMenu(onSelect)}
      disabled={disabled}
      className={`${ITEM} ${tone === 'danger' ? 'text-down' : ''}`}
    >
      {children}
    </DropdownMenu.Item>
  )
}

/** An entry that is a link. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={ITEM}>
      {children}
    </DropdownMenu.Item>
  )
}

/** A choice of one option. */
export function MenuChoice<T extends string>({ label, value, options, onChoose }: ChoiceOfOne<T>) {
  return (
    <DropdownMenu.Group>
      <DropdownMenu.Label className="px-2.5 pt-1.5 text-sm text-soft">{label}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChoose(chosen as T)}>
        {options.map((option) => (
          <DropdownMenu.RadioItem key={option.value} value={option.value} className={ITEM}>
            <span aria-hidden className="w-4">
              {option.value === value ? '✓' : ''}
            </span>
            {option.label}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </DropdownMenu.Group>
  )
}

/** Words that say what the entries above them mean. */
export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="max-w-64 px-2.5 py-1 text-sm break-words text-soft">
      {children}
    </DropdownMenu.Label>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
