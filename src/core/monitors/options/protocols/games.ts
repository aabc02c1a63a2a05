/** The ways in which game servers are asked about themselves. */
export const GAME_QUERIES = [
  'source',
  'quake1',
  'quake2',
  'quake3',
  'gamespy1',
  'gamespy2',
  'gamespy3',
  'unreal2',
  'minecraft',
  'bedrock',
] as const
export type GameQuery = (typeof GAME_QUERIES)[number]

/**
 * The games, by the identifiers that GameDig (MIT) gives them: the port that players use, and behind a slash the one that is asked. Games whose
 * servers are found by asking somebody else, or by a protocol of one game alone, are not here. `protocol-…` is any other game that is asked so.
 */
const LISTS: Record<GameQuery, string> = {
  source: `
    protocol-valve:27015
    a2oa:2302/2303 aapg:8777/27020 abioticfactor:27015 actionsource:27015 ahl:27015 alienswarm:27015
    americasarmy3:8777/27020 aoc:27015 arma2:2302/2303 arma3:2302/2303 armareforger:2001/17777 ase:7777/27015
    atlas:5761/57561 avorion:27000/27020 avp2010:27015 ballisticoverkill:27015/27016 barotrauma:27015/27016
    basedefense:27015 battalion1944:7777/7780 blackmesa:27015 bladesymphony:27015 brainbread2:27015 brainbread:27015
    breach:27016 brink:27015/27016 cmw:7777/7779 codbo3:27017 codenamecure:27015 colonysurvival:27004
    conanexiles:7777/27015 contagion:27015 corekeeper:1234/1235 counterstrike15:27015 counterstrike16:27015
    counterstrike2:27015 creativerse:26900/26901 cscz:27015 csgo:27015 css:27015 dab:27015 dal:7777/27015
    dayofdragons:7777/27015 dayzmod:2302/2303 ddd:27015 deathmatchclassic:27015 dmomam:27015 dod:27015 dods:27015
    doi:27015 dota2:27015 dow:27015 dst:10999/27016 dystopia:27015 egs:30000/30001 empiresmod:27015
    enshrouded:15636/15637 ets2:27015/27016 exfil:7777/27015 fof:27015 fortressforever:27015 foundry:27015
    garrysmod:27015 goldeneyesource:27015 groundbreach:27015 gunmanchronicles:27015 hl2d:27015 hld:27015 hlds:27015
    hll:27015 hlof:27015 homefront:27015 hurtworld:12871/12881 icarus:27015 imic:27015 insurgency:27015
    insurgencysandstorm:27015/27016 jc3m:4200/4201 killingfloor2:7777/27015 kreedzclimbing:27015 l4d2:27015
    l4d:27015 medievalengineers:27015 mnc:7777/27016 moe:12888 mordhau:7777/27015 naturalselection:27015 nla:27015
    nmrih:27015 nucleardawn:27015 ohd:7777/27005 onset:7777/7776 pce:7777/27015 pixark:7777/27015 postscriptum:10037
    projectcars2:27015/27016 projectcars:27015/27016 projectzomboid:16261 pvak2:27015 quakelive:27960 rdkf:27015
    redorchestra2:7777/27015 rfactor2:64299 ricochet:27015 risingworld:4255/4254 ror2:27015/27016 rs2v:27015
    rust:28015 shatteredhorizon:27015 sinepisodes:27015 sotf:8766/27016 soulmask:8777/27015 spaceengineers:27015
    starbound:21025 stn:7950/7951 suicidesurvival:27015 svencoop:27015 synergy:27015 teamfortress2:27015 tfc:27015
    theforest:27015/27016 thefront:27015 thehidden:27015 theisle:7707/7708 theship:27015 thespecialists:27015
    towerunite:27015 unturned:27015/27016 valheim:2456/2457 vampireslayer:27015 vrising:27015/27016
    wurmunlimited:3724/27016 zombiemaster:27015 zps:27015`,
  quake2: `
    protocol-quake2:27910
    alienarena:27910 daikatana:27982/27992 quake2:27910`,
  gamespy1: `
    protocol-gamespy1:7778
    acwa:2302/2303 armaresistance:2302/2303 avp2:27888 baldursgate:6073/1470 battlefield1942:14567/23000 c3db:6500
    cacr:4848/25300 cbu:7777/7778 codenameeagle:4711 contractjack:27888 ddpt:25300 descent3:2092/20142
    deusex:7791/7792 dnf2001:7777/7778 dootf:27045/27046 dtr2:32240/32140 f1c9902:34397 formulaone2002:3297 gck:8911
    globaloperations:28672 gus:27777/27778 heretic2:27900/27901 hiddendangerous2:11001/11004 homeworld2:6500
    i2cs:26001 i2s:21000 ironstorm:3505 jb0n:6550 kloc:31510/31500 kpctnc:7777/7778 moha:12203/12300
    mohaa:12203/12300 mohaab:12203/12300 mohaas:12203/12300 mohpa:13203/13300 nab:4444/4445 netpanzer:3030
    nfshp2:61220 nitrofamily:25601 nolf2asihw:27890 ofcwc:2302/2303 ofr:2302/2303 postal2:7777/7778 rainbowsix:2348
    rallisportchallenge:17500 rallymasters:16666 redline:25252 ron:6501 roo4145:7757/7767 rs2rs:2346 rs3rs:7777/8777
    rune:7777/7778 serioussam:25600/25601 shogo:27888 sin:22450 sof:28910/28911 sstse:25600/25601 stbc:22101
    tacticalops:7777/7778 teamfactor:57778 terminus:12286 thps3:6500 thps4:6500 thu2:5153 toh:2302/2303 tonolf:27888
    turok2:12880 unreal:7777/7778 unrealtournament:7777/7778 v8sc:16700 vietcong:5425/15425 wot:7777/7778`,
  gamespy2: `
    protocol-gamespy2:23000
    aaa:2302 americasarmy2:1716/1717 americasarmy:1716/1717 battlefieldvietnam:15567/23000 breed:7649
    deerhunter2005:23459/34567 fear:27888 halo2:2302 halo:2302 nascarthunder2004:13333 neverwinternights2:5121/6500
    neverwinternights:5121 serioussam2:25600 swat4:10480/10482 swb2:3658 swb:3658 swrc:7777/11138 tcgraw2:16250
    tcgraw:15250 tribesvengeance:7777/7778 tron20:27888 vietcong2:5001/19967`,
  gamespy3: `
    protocol-gamespy3:29900
    battlefield2142:16567/29900 battlefield2:16567/29900 crysis2:64000 crysis:64087 crysiswars:64100
    prb2:16567/29900 stalker:5445/5447`,
  quake3: `
    protocol-quake3:27960
    cod2:28960 cod3:28960 cod4mw:28960 cod:28960 codmw2:28960 coduo:28960 codwaw:28960 nexuiz:26000 openarena:27960
    plutonium:28960 q3a:27960 rtcw:27960 sof2:20100 stvef2:29253 stvef:27960 swjk2jo:28070 swjkja:29070
    tremulous:30720 urbanterror:27960 wet:27960 wop:26000`,
  unreal2: `
    protocol-unreal2:7778
    devastation:7777/7778 dhe4445:7757/7758 killingfloor:7707/7708 redorchestra:7758/7759 u2tax:7777/7778
    unrealtournament2003:7757/7758 unrealtournament2004:7777/7778`,
  minecraft: `
    protocol-minecraftvanilla:25565
    minecraft:25565`,
  bedrock: `
    protocol-minecraftbedrock:19132
    mbe:19132`,
  quake1: `
    protocol-quake1:27500
    quake:27500`,
}

export type Game = { query: GameQuery; port: number; queryPort: number }

const GAMES: ReadonlyMap<string, Game> = new Map(
  GAME_QUERIES.flatMap((query) =>
    LISTS[query]
      .trim()
      .split(/\s+/)
      .map((entry): [string, Game] => {
        const [id = '', ports = ''] = entry.split(':')
        const [port = 0, queryPort = port] = ports.split('/').map(Number)
        return [id, { query, port, queryPort }]
      }),
  ),
)

/** Null for a game that is not known. */
export function gameOf(id: string): Game | null {
  return GAMES.get(id) ?? null
}

/** The identifiers of games whose servers are asked in this way, in their order. */
export function gamesAskedBy(query: GameQuery): string[] {
  return GAME_IDS.filter((id) => gameOf(id)?.query === query)
}

export const GAME_IDS: readonly string[] = [...GAMES.keys()].toSorted()
