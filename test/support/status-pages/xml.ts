import { SaxesParser } from 'saxes'

/** An element of an XML document: names and attributes as written, the namespace resolved. */
export type XmlElement = {
  name: string
  namespace: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** Reads a document with a parser that refuses what is not well-formed. */
export function readXml(document: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const root: XmlElement = { name: '', namespace: '', attributes: {}, text: '', children: [] }
  const open = [root]
  const inner = () => open.at(-1) as XmlElement
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const own = Object.values(attributes).map((attribute) => [attribute.name, attribute.value])
    const element = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(own),
      text: '',
      children: [],
    }
    inner().children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    inner().text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(document).close()
  return root.children[0] as XmlElement
}

/** The elements of a name that stand directly in another. */
export function elementsIn(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter((child) => child.name === name)
}

/** The text of the one element of a name. */
export function textIn(parent: XmlElement, name: string): string {
  const [found, ...more] = elementsIn(parent, name)
  if (!found || more.length > 0) throw new Error(`${parent.name} has ${more.length} more ${name}`)
  return found.text
}
