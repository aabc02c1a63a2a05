import { type ComponentType, cloneElement, useState } from 'react'
import { LazyPart, preloaded } from './lazy-part.tsx'
import type * as Parts from './menu-parts.tsx'

/** Menus need a library that the first screen does not wait for. All parts arrive with one file. */
function part<Name extends keyof typeof Parts>(name: Name) {
  const load = () =>
    import('./menu-parts.tsx').then((file) => ({ default: file[name] as ComponentType<object> }))
  return preloaded(load) as unknown as (typeof Parts)[Name]
}

export const MenuItem = part('MenuItem')
export const MenuLink = part('MenuLink')
export const MenuChoice = part('MenuChoice')
export const MenuLine = part('MenuLine')
export const MenuNote = part('MenuNote')
const LoadedButton = part('MenuButton')

/** A button with a list of actions below it. Pressed before the list can be drawn, it opens once it can. */
export function MenuButton(menu: Parts.Menu) {
  const [isWanted, setWanted] = useState(false)
  const { button } = menu
  return (
    <LazyPart waiting={cloneElement(button, { onClick: () => setWanted(true) })} failed={button}>
      <LoadedButton {...menu} isOpenAtFirst={isWanted} />
    </LazyPart>
  )
}
