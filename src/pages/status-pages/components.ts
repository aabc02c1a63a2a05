import { html, raw } from 'hono/html'
import type { PageComponent, PageGroup, PageItem } from '../../core/status-pages/page-model.ts'
import type { Html } from '../page.ts'
import { barsOf, keyOfBars } from './bars.ts'
import { chartOf } from './chart.ts'
import { nameOf, stateOf } from './markup.ts'
import type { PageView } from './view.ts'

/** All components, in groups that open and close. */
export function componentsOf(view: PageView): Html {
  const { model, words } = view
  if (model.items.length === 0) return html`<p class="soft">${words.empty}</p>`
  const blocks = blocksOf(model.items).map((block) =>
    Array.isArray(block)
      ? html`<ul class="panel">${block.map((component) => componentOf(view, component, 3))}</ul>`
      : groupOf(view, block),
  )
  return html`<section aria-labelledby="components"><h2 id="components">${words.sections.components}</h2>
${blocks}${model.items.some(hasBars) ? html`${raw(keyOfBars(view))}<p class="soft">${words.uptime.rule}</p>` : ''}</section>`
}

/** Groups, and the components between them. */
function blocksOf(items: readonly PageItem[]): (PageGroup | PageComponent[])[] {
  const blocks: (PageGroup | PageComponent[])[] = []
  for (const item of items) {
    const last = blocks.at(-1)
    if ('group' in item) blocks.push(item.group)
    else if (Array.isArray(last)) last.push(item.component)
    else blocks.push([item.component])
  }
  return blocks
}

function groupOf(view: PageView, { id, name, isOpen, state, components }: PageGroup): Html {
  return html`<details class="panel group" id="g${id}"${isOpen ? raw(' open') : ''}><summary><h3>${nameOf(name)}</h3>${stateOf(state, view.words.states[state])}</summary>
<ul>${components.map((component) => componentOf(view, component, 4))}</ul></details>
`
}

function componentOf(view: PageView, component: PageComponent, depth: 3 | 4): Html {
  const { id, name, description, state, history, chart } = component
  const heading = depth === 3 ? html`<h3>${nameOf(name)}</h3>` : html`<h4>${nameOf(name)}</h4>`
  return html`<li id="c${id}"><div class="line">${heading}${stateOf(state, view.words.states[state])}</div>
${description === '' ? '' : html`<p class="soft">${nameOf(description)}</p>`}${history && raw(barsOf(view, id, history))}${chart && chartOf(view, chart)}</li>
`
}

function hasBars(item: PageItem): boolean {
  const components = 'group' in item ? item.group.components : [item.component]
  return components.some(({ history }) => history !== null)
}
