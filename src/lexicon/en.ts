import { enTables } from './en-tables.ts'
import { enSynonyms } from './en-synonyms.ts'
import type { Lexicon } from './lexicon.ts'

const FILES = '(files|documents|docs|sources|papers)'
const THERE =
  '[ (do you|can you|do we|are|is|have|has|been|there|here|know|see|read|in|on|this|channel|uploaded|dropped|available|stored|now|currently)]*'
const SOURCES = '(file[s]|passage[s]|document[s]|collection|context|excerpt[s]|source[s])'

export const en: Lexicon = {
  code: 'en',
  tells: {
    long: 'the and of to is in that for with are was this be on as it by from or not',
    short: `the is are and or but not how when which why where who whom whose what i you we they he she my your our their it
      its this that these those a for with to of from at on by can could must may should would will has have had does do did
      please hello thanks was were be been there if me us any some about`,
    endings: 'ed ing ly',
  },
  talk: {
    greetings: `hi, hello, hey, thank[s][ you| a lot| so much| again], many thanks, thx, cheers, good (morning|evening|night), bye`,
    praise: 'ok[ay], great, perfect, cool, nice',
    thanks: 'thank[s][ you| a lot], thx',
    thankful: 'thank thx cheers',
    everybody: 'there everyone all',
    farewells: `
      [no |many |ok |great ](thanks|thx|thank you|thank u|cheers)[ all| again| a lot| so much| very much| a bunch| everyone]*[ for (the|your|all the|all your) [quick |fast ](help|answer[s]|info|information|reply|support)]
      [good[ ]]bye[ bye]
      see (you|ya)[ all][ soon| later| then| tomorrow| around| next week| on (mon|tues|wednes|thurs|fri|satur|sun)day]
      take care, talk [to you ](soon|later), good[ ]night
      have a [very ](nice|good|great|lovely) (day|evening|night|weekend|week|one)`,
    withFarewells: `ok[ay], great, perfect, cool, nice, good, fine, all good, very helpful, got it, understood, no, yes,
      that([']s| is) (all|it|great|perfect|clear|enough|everything), that (helps|helped)[ a lot| me]*,
      everyone, everybody, all, team, then`,
    and: 'and',
    pointing: `he him his she her hers it its they them their theirs this that these those there then one ones former latter
      same`,
    empty: `and or but so the an of in on at to for from with by is are was were be been do does did has have had can could
      will would should may might must not no yes what which who whom whose when where why how about also too more please tell
      me us you we my our your if else really sure any some all get got much many long often`,
    exists: '(is|are|was|were) there, there (is|are|was|were)',
    goingOn: 'and, or, but, what about, how about',
    prepositions: 'in for on at with during from',
    least: `least, fewest, lowest, smallest, minimum, minimal, cheapest, shortest, earliest, oldest, lightest, slowest`,
    most: `most, highest, largest, biggest, greatest, maximum, longest, newest, latest, heaviest, tallest, fastest, youngest`,
    leastAtEnd: 'first',
    mostAtEnd: 'last',
    afterMost: 'expensive, recent[ly]',
    one: 'one ones',
  },
  requests: {
    before: 'hi hello hey ok okay please so and',
    please: 'please',
    canYou: '(can|could|would|will) you[ please]',
    giveMe: "give me, get me, i need, i('d| would) like[ you to]",
    after: 'please, for me, here, briefly, in short',
    hello: 'hi hello hey hiya',
    courtesies: `
      (hi|hello|hey|hiya|dear|[good ](morning|afternoon|evening))[ {whom}]
      [i ]hope{rest}(well|fine|good|okay|ok|week|day|weekend|morning)
      [just ][a |one |another ](quick|short|small|simple|silly|dumb|stupid) (one|question|thing)[ for you| here]
      [i (have|had) |i've got ][a|one|another|just a|just one|two|three|a few|some|a couple of][ quick| short| small| simple]* question[s][ for you| for the group| about this]
      i (was|am|'m) [just ](wondering|curious)[ about (something|this|one thing)]
      (can|could|may) i ask[ you][ something| a [quick ]question]
      [i'm |i am |we're |we are |so |really |very ]*sorry[ (if|for|to|that|about) {clause}], apologies[ (if|for|to) {clause}| in advance], excuse me, pardon[ me], forgive me{clause}
      [many |much |kind ~|big |lots of ]*(thanks|thx|thank[ ](you|u)|cheers|ta)[ {rest}]
      much appreciated, any help{rest}, i appreciate{rest}, it is appreciated, [kind |best |warm ]regards{rest}, best
      have a [very |really ]*[nice |good |great |lovely |wonderful |pleasant ](day|one|evening|night|morning|afternoon|week|weekend|time)[ {rest}]
      help (please|needed|wanted), please help[ me], urgent, asap`,
    openings: `
      (does|do) (any(body|one)|some(body|one)|you|one of you)[ here| of you| guys| by any chance| happen to]* know
      (can|could|would|will) (you|some(body|one)|any(body|one))[ of you| here| please| kindly| quickly]*[ tell| remind| explain to| let] (me|us)[ please| again| know]*
      i (need|want|wanted|would like|'d like|have) to (know|ask), i (was|am|'m) [just ]wondering, i wonder
      my question is, the question is, please tell (me|us), tell (me|us), (two|three|a (few|couple of)|some)[ quick| short] (things|questions)`,
    questionStarts: `who, what, when, where, why, how, which, whose, can, could, is, are, was, do, does, did, has, have, will,
      would, should, please, tell, show, explain, list`,
    beforeQuestions: 'and or but so',
    nounQuestions: 'which, whose, how (many|much)',
    withNoun: 'how much (is|are|was|were|does|do|did) (a|an|the|one|our|your|my)',
    directQuestions: `(up to|on|in|at|by|until|till|from|since|for|to|with|of|under) (what|which|when|whom|how (many|much|long)), who, whose, which, what time, (what|when|where|who|how)'s, how (many|much|long|old|far|often|big), (what|when|where|why|how) (is|are|was|were|do|does|did|can|could|should|must|may|will|has|have)`,
    common: `what, when, where, which, whose, whom, does, have, with, from, that, this, there, they, them, then, know, anybody,
      anyone, somebody, someone, please, tell, could, would, should, about, into, your, been, were, will, shall, hello, money, people, thing[s]`,
    attributes: '(what|which|when|how high|how much|how long) (is|was|are|were) the {thing} of',
    why: 'why, how come, what (is|was) the (reason|cause)',
    because: `because, since, due to, owing to, thanks to, reason[s], cause[d|s], therefore, so that, in order to, for lack of, so as to, that is why,
      as a result, after, otherwise, too (few|little|many|much|late|old|small|expensive|weak|heavy), not enough, no longer, so`,
    whoSigned: 'who (signed|wrote|sent), who (has|had) (signed|written|sent)',
    howLong: 'how long',
    lengths: 'seconds, (minute|hour|day|night|week|fortnight|month|year|decade)[s], centur~',
    howMany: 'how (many|much|long|big|large|high|old|often|far|late)',
    may: '(may|can|could|must|should|am|are) (i|we|you|one)',
    who: 'who, whom, whose',
    people: `(manager|officer|director|secretary|treasurer|leader|supervisor|team|department|office|desk|company|client|customer|contractor|tenant|landlord|employer|employee|member|owner|driver|committee|board|council|agency|doctor|nurse|teacher|technician|engineer|mechanic|accountant|master|warden|marshal|caretaker|steward|volunteer|colleague|visitor|parent|student|player|partner|buyer|seller|author|king|president|government|person|lawyer|attorney|judge|minister|worker|inspector|auditor|supplier|operator|applicant|expert|scientist|citizen|resident|guest|court|group)[s],
      chair~, staff, police, people, everyone, everybody, anyone, anybody, nobody, you`,
    pronouns: 'he, she, they, him, her, his, their',
    when: 'when, what time, (what|which) (date|day|month|year|week|century|decade)',
    timeWords: `(day|week|month|year|night|morning|evening|afternoon|noon|midnight|hour|minute|spring|summer|autumn|fall|winter|decade|century|centuries)[s],
      today, tomorrow, yesterday, now, immediately, always, never, daily, weekly, monthly, yearly, annually, before, after, until, during, since, once, when, while, whenever, as soon as, (start|beginning|end) of, easter, christmas`,
    where: "where, where's, wheres, whereabouts, from where",
    beforePlaces:
      'at in inside into on onto near beside behind under opposite outside above below between from to through next by',
    amounts: `((what|how high|how much) (is|are|was|were)|what's|whats)[ the| our| your]( {word}| {word} {word}|) (cost|price|fee|charge|day rate|hourly rate|rent|deposit|total|amount|salary|wage|budget|discount|rebate|premium|limit|percentage|temperature)[s],
      (what|which) (price|fee|charge|rent|deposit|salary|budget|discount|rebate|percentage|temperature), what (does|do|did) {some} cost`,
    numberWords: `half, third, quarter, dozen, (six|seven|eigh|nine)teen, twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety, hundred[s], thousand[s], million[s], billion[s],
      free, nothing, unlimited, double, twice, once, several, few, many, most, vast, none, no, both, until`,
    oftenWords:
      'frequently, daily, weekly, monthly, yearly, annually, hourly, every, always, usually, often, regularly, rarely, seldom, never',
    sums: '(cost|price|fee|charge|rent|deposit|salar(y|ie)|wage|fare|premium|fine|subscription|day rate|hourly rate|hourly pay)[s]',
    currencies: 'pound[s], euro[s], dollar[s], pence, cent[s], quid, eur, gbp, usd, chf, franc[s], vat',
    things: `(what|which|how (high|much|long|big)) (is|are|was|were) (the|our|your|my|their) {thing}, (what's|whats) (the|our|your|my|their) {thing}, what {thing} (is|are|has|have)`,
    codes: `(what|what's|whats|which|under (what|which))[ is| are| was| were][ the| our| your]( {word}| {word} {word}|) (number|code|phone|extension|e-mail|email|mail address|pin)`,
    help: `
      help[ me]
      what (can|do) you (do|help[ me| us] with|know how to do)
      what [all ](can|could|may|should) i (do|ask)[ you][ with you]
      how (can|do|could) you help[ me| us]
      how (do you|does this[ bot]) work
      how (do|can|should) i use (you|this|it)
      (who|what) are you
      what (is this|is footbridge|is this bot|are you [good ]for)
      (which|what) commands[ are there| do you (know|have)]
      commands
      introduce yourself`,
    list: `
      (list|show|show me|display)[ all| me][ of][ the| your| my| our][ ]${FILES}${THERE}
      (list|show)[ me] (all|everything)[ that you have]
      (what|which|how many)[ kind of] ${FILES}${THERE}
      (all|my|our|your)[ the] ${FILES}, (file|document) list, list of [all ][the ]${FILES}
      what (do you (have|know)|is here|is in here|have you got|is on the shelf|is in this channel)`,
    contents: `
      what['s| is| stands| are| does it say] (in|inside|on) {file}
      what (does|do) {file} (contain|cover|include|say|tell[ us| me]|hold)
      [show [me ]|list ][the ](content[s]|outline|structure|table of contents|headings|chapters|sheets|columns) (of|in) {file}
      (what|which) (sheet[s]|chapter[s]|section[s]|heading[s]|column[s]|slide[s]) (does|do|has|have|are in|are there in) {file}[ have| contain| got]
      outline {file}, [the ](sheet[s]|chapter[s]|heading[s]|column[s]) (in|of) {file}`,
    summary: `
      (summari(s|z)e|sum up|recap|condense|tl[;]dr[:][ of]) {file}
      [a |an |the ][very ][short |brief |quick ](summary|overview|abstract|gist|recap|tl[;]dr)( of| about| on| over) {file}
      what('s| is) {file} [all ]about
      what are the [main |key |most important ](points|topics|takeaways|messages) (of|in) {file}
      tell me [something ]about the (file|document) {file}`,
    dropper: `
      who [has ](dropped|uploaded|added|shared|posted|sent|put|brought|provided|gave us) {file}[ in]
      who is {file} from
      (from whom|where) (is|does|did) {file} [come ]from
      when (was|were|did somebody) {file} (dropped|uploaded|added|shared|posted|updated|changed)
      whose (file|document) is {file}`,
    pages: `
      how many (page[s]|slide[s]|sheet[s]) (has|have|does|do|are in|are there in|is) {file}[ have| contain| got]
      how many (page[s]|slide[s]|sheet[s]) long is {file}, (page[s]|slide[s]) (in|of) {file}
      [what is |what's ][the ](number of pages|page count) (of|in) {file}`,
    page: `
      what['s| is| stands| does it say] on (page|slide) {page}[ (of|in|from) {file}]
      what does (page|slide) {page}[ (of|in|from) {file}] (say|contain|cover|show)
      [(show|read|quote|open)[ me] ](page|slide) {page} (of|in|from) {file}
      (show|read|quote)[ me] (page|slide) {page}`,
    whichFile: `
      (what|which) [of the ](file|document|doc)[s] (is|are|has|have|say[s]|tell[s][ me])[ something| anything| more] (about|on) {topic}
      (what|which) [of the ](file|document|doc)[s] (mention|cover|describe|explain|contain|discuss|address|list|name)[e][s] {topic}
      (what|which) [of the ](file|document|doc)[s] (deal[s] with|talk[s] about|speak[s] (about|of)) {topic}
      (in|on) (what|which) [of the ](file|document|doc)[s] (is|are|do i find|can i find|do i read about) {topic}[ (described|mentioned|written|explained|found|to be found)]
      (what|which) [of the ](file|document|doc)[s] ((has|have) {topic} in (it|them)|(is|are) {topic} in)
      where (is|are)[ there] (the|a|any) (file|document|doc)[s] (about|on|for|with) {topic}
      where (can|do) (i|we) (read|find) [something |anything |more ]about {topic}
      (is|are) there (something|anything|[a |any ](file|document|doc)[s]) (about|on|for|with) {topic}
      (do|have) (we|you) [have |got ](a|any|something|anything)[ file| document| doc]*[s] (about|on) {topic}`,
    inFile: `
      what (does|do) {file} (say|tell[ us| me]|write|state|mention) (about|on|regarding) {topic}
      what['s| is| are| was| were] (said|written|mentioned) (about|on|regarding) {topic} (in|on) {file}
      what['s| is| stands] in {file} (about|on|regarding) {topic}
      what (does|do) (it|they) say (about|on) {topic} (in|on) {file}`,
    whichPage: `
      [on ](what|which) (page|slide)[s] (of|in) {file} (do|can) (i|we) (find|read)[ something| anything| the (stuff|part|bit|section)]*[ about| on] {topic}
      [on ](what|which) (page|slide)[s] (of|in) {file} (is|are|has|have|says|tells[ me])[ something| anything]*[ about| on] {topic}
      [on ](what|which) (page|slide)[s] (of|in) {file} (covers|mentions|describes|deals with|talks about) {topic}`,
    remove: '(delete|remove|erase|trash|throw away|get rid of) {file}, throw {file} away',
    newestFile: `
      [(what|which)[ one] (is|was) |what['s|s] ]{newest}[ [that ](we|you|i) (have|got|know)[ here]| there is| that (was|got) (dropped|uploaded|added|shared)][ in this channel]
      [show ][me ]{newest}
      (what|which) [of the ]{kind}[s] (is|was|are) {newestWord}[ one]
      (what|which) {kind}[s] (was|were|did we|did you|has been|have been) (dropped|uploaded|added|shared|get) {newestWord}`,
    newest: 'newest, latest, most recent, last, most recently',
    anyFile: 'file, document, upload',
    news: `
      what('s| is)[ there] new[ (here|in here)]
      [is there ]any[thing] (news|new)[ file[s]]
      what (was|has been|got|file[s] (were|was|have been)) (added|dropped|uploaded|changed|updated)
      what [has ]changed
      (which|what) files are new
      [show [me ]][the ](new|newest|latest|recent) (files|documents)`,
    since: 'since from after in',
    sinceArticles: 'the',
    spans: `[last ]{weekday}, yesterday, today, (this|last|past) (week|month), [the ](last|past) {number} day[s],
      {number} day[s] ago`,
    weekdays: 'sunday monday tuesday wednesday thursday friday saturday',
    today: 'today',
    yesterday: 'yesterday',
    month: 'month',
    ofFiles: 'drop~, upload~, file, document',
    lastFile: 'this, it, that, the (file|document), this (file|document)',
    beforeName: 'the, our, this, that, my, file, document',
    afterName: 'file, document, spreadsheet, presentation, slides',
  },
  commands: {
    access: 'access',
    ask: 'ask',
    askGroup: 'ask group',
    askIn: 'ask in',
    budget: 'budget[s]',
    collection: 'collection',
    connect: 'connect',
    disconnect: 'disconnect',
    download: 'download',
    files: 'files',
    forget: 'forget',
    gaps: 'gaps',
    help: 'help',
    here: 'here',
    helpMore: 'help (more|all), more help',
    language: 'language',
    model: 'model[s]',
    modelOf: 'model',
    newConversation: '[start |begin ][a ]new (conversation|chat|topic), start over',
    off: 'off',
    rebuild: 'rebuild',
    reindex: 'reindex',
    retry: 'retry',
    save: 'file this, keep [this ]thread',
    settings: 'settings',
    usage: 'usage',
    usual: 'usual, default',
  },
  models: {
    refusals: `
      ${SOURCES}{far}(do[es]n't|do[es] not|not|no|nothing){near}(answer|contain|mention|state|say|specif|provid|includ|hold|cover|give|address|information|detail)~
      (not|no|nothing){near}(answer~|mention~|state[d]|specified|provided|found|covered|find|information){near}${SOURCES}
      not sure{near}${SOURCES}{near}answer~
      not in (this|the|these) (collection|file[s]|passage[s]|document[s]|context)`,
    refusalStarts: `the these this that those there none no not nothing neither i it in based according from unfortunately sorry
      regrettably apologies my we you any information as passages documents files`,
    sayingNo: `no, not, ~n't, cannot, nothing, none, neither, unable, without, sorry, apolog~, unfortunately`,
    musings: `ok[ay], alright, all right, hm, hmm, hmmm, well, so, wait, let me, let's, let us, looking at,
      we (need|have|are|should|must|can), i (need|should|have|must|will|am|think), i'(ll|m),
      (the|this) (user|person|human|asker|question|query|prompt)`,
    musingsBeforeComma: 'right now first',
    musingStarts:
      "ok okay alright all hm hmm hmmm well so wait right now first let let's looking we i i'll i'm the this",
    musingStartsOfTwo: 'all let looking we i the this',
    beforeMarks: 'see, passage[s]',
    sources: 'see source sources from',
  },
  documents: {
    givenNames: `message, unnamed, unknown, noname, file, attachment, snippet, clipboard, paste, pasted text,
      untitled[ (document|spreadsheet|presentation|design|note)],
      image, img, picture, photo, pasted (image|graphic), clipboard image,
      (img|dsc[n|f]|pict|mvimg)[ ]{digits}, image[ ]{digits}, (screen[ ]shot|screen recording)[ {number}],
      audio, voice, recording, audio message, voice (message|memo|note), ptt {number}, new recording, scan[ ]{rest},
      (document|book|presentation){digits}`,
    sheets: 'excel[ sheet], xls[x], spreadsheet, workbook',
    slides: 'presentation, powerpoint[ presentation], ppt[x], [the ]slides, [slide ]deck',
    pictures: 'scan[ned page], scanned, picture, photo, image, screenshot',
    scans: 'scan[ned page], scanned',
    mails: '[e[-]]mail[ thread| chain| exchange| conversation]',
    wordFiles: 'word[ document], doc[x]',
    pdfs: 'pdf',
    solved: 'solved answered resolved',
    quoteStyles: 'Quote, Intense Quote, Block Text, Quotations',
    headingStyles: 'Heading',
    headings: 'article appendix annex chapter section schedule',
    page: 'page, page no., p.',
    pageOf: 'of',
    closings:
      'yours (sincerely|faithfully|truly), [with] (kind|best|warm) regards, regards, best wishes, sincerely, all the best',
    abbreviations: 'Dr Mr Mrs Ms Prof St No Fig vs approx e.g i.e p pp vol',
    beforeNumbers: 'no nos nr art sec ch fig tab ext tel ref para approx ca',
  },
  search: {
    stopWords: `a us would could should shall may might must please tell also many much within among since per via however thus
      done made want wants wanted need needs`,
    saysNothing: `how (long|often|soon|fast|quickly), who[m] (do|can|should|must) (i|we) (talk|speak|turn|go),
      (take[s]|took|taking) place, what do[es] {gap} (mean|stand for), (look[s]|looked|looking) after, (in charge|responsible), take[s] care of`,
    light: `get gets got getting give gives gave given giving take takes took taken taking come comes came coming go goes going gone went
      put puts keep keeps kept let lets use uses used using happen happens happened back towards toward still everything something anything
      nothing everyone everybody someone somebody anyone anybody people thing things long soon late early fast far high big heavy old much
      best good allowed able possible supposed find finds found look looks ask asks call called today now currently usually normally exactly
      actually whats without still yet already just really again here there apply applies work works wrong happening
      handle handles wanted called left going`,
    particles: 'down up in out off on over back away',
  },
  tables: enTables,
  synonyms: enSynonyms,
}
