import type { Lexicon } from './lexicon.ts'

/** Languages of which only little is known: one that is known better gets a file of its own. */
export const OTHER_LANGUAGES: readonly Lexicon[] = [
  {
    code: 'pl',
    tells: {
      long: 'nie jest się na do że dla przez oraz są jak tego przy który od po czy lub także tym',
      letters: 'ąęłńśźż',
    },
    search: {
      stopWords: `a aby albo ale ani aż bardzo bez bo by być był była było były będzie będą ci co coś czego czemu czy czyli czym dla do
        dlaczego dlatego dokąd gdy gdyby gdzie go i ich ile im ja jak jaka jaki jakie jakich jakiego jakiej jako je jego jej jemu jest
        jestem jeszcze jeśli jeżeli już każda każdy każde kiedy kim kogo komu kto która które którego której którzy który których którym
        którą lub ma mają może mogą można mnie mną moja moje mój mu my na nad nam nas nasz nasza nasze nawet nich nie nic niego niej nim
        nimi niż o od on ona one oni ono oraz po pod podczas ponieważ poza przed przez przy są się skąd sobie swoje swój ta tak także tam
        te tego tej ten też to tu tutaj ty tych tylko tym u w was wasz we więc wszystkie wszystko z za ze że żeby znajduje`,
    },
  },
  {
    code: 'cs',
    tells: { letters: 'ěřů' },
    search: {
      stopWords: `a aby ale ani ano až bez bude budou by byl byla byli bylo být co což či dle do ho i jak jaká jaké jaký jakou jakého jako je
        jeho její jejich jen jenž ji jí již jsem jsi jsme jsou jste k kam kde kdo kdy když ke kolik která které který kterého kterých
        kteří kterou komu koho má mají mezi mi mít mne mně mohou může musí my na nad nám nebo než ne není nic o od on ona oni ono po pod
        podle pokud pouze pro proč protože před při s se si sebe své svůj svých ta tak také tam tato tedy ten tento této tím to toho tom
        tomu tu ty tyto u v ve však všechny vy z za zda ze že`,
    },
  },
  {
    code: 'sk',
    tells: { letters: 'ľĺŕô' },
    search: {
      stopWords: `a aby aj ako aká aké aký akú akého ale alebo ani áno až bez bol bola boli bolo bude budú by byť cez čo či do ho i iba ich ja
        je jeho jej k kam každý kde kedy keď kto ktorá ktoré ktorí ktorý ktorého ktorej ktorú ktorých koho komu koľko lebo len má majú
        medzi mi môže môžu musí my na nad nie než o od on ona oni ono po pod podľa pre pred prečo pretože pri s sa si sme so som sú svoj
        svoje ta tak takže tam táto ten tento teda to toho tom tomto tu tým tieto u už v však všetko všetky vo vy z za zo že`,
    },
  },
  {
    // Serbian and Bosnian in Latin letters, too.
    code: 'hr',
    tells: { letters: 'đ' },
    search: {
      stopWords: `a ako ali bez bi bila bili bilo bio biti bude budu će ćemo ćete čega čemu čime da dok do ga gdje gde i ih ili im iz između ja
        je jer jesu još kad kada kako kakav kakva kakvo kao kod koja koje kojeg kojega kojem kojih kojim koji koju koliko kome kuda li me
        mi može na nad nakon nam nas ne nego neki nema nešto ni nije nisu njega njegov njezin njih njihov njoj o od oko on ona oni ono ova
        ovaj ove ovo pa po pod prema pri prije se s sa sam samo smo su sva sve svi svoj ta taj tako također te ti to toga tko ko tu u uz
        vam vas već vi više za zašto zbog što šta`,
    },
  },
  {
    code: 'sr',
    tells: { letters: 'ђјљњћџ' },
    search: {
      stopWords: `а ако али без би била били било био бити буде буду ће ћемо ћете чега чему чиме да док до га где и их или им из између ја је
        јер јесу још кад када како какав каква какво као код која које којег којем којих којим који коју колико коме куда ли ме ми може на
        над након нам нас не него неки нема нешто ни није нису његов њен њих њихов њој о од око он она они оно ова овај ове ово па по под
        према при пре се с са сам само смо су сва све сви свој та тај тако такође те ти то тога ко ту у уз вам вас већ ви више за зашто
        због што шта`,
    },
  },
  {
    code: 'uk',
    tells: { letters: 'іїєґ' },
    search: {
      stopWords: `а або але б без би був була були було бути в вам вас ваш вже ви від він вона вони воно все всі де для до є з за зі і із її
        їм їх його й йому коли кого кому крім куди ким лише ми мені між може можна можуть на над нам нас наш не немає ні ніж них об один
        однак одна оскільки перед після по під поки при про проте саме себе свій свої своє скільки собі та так також такий такі там те теж
        ти тільки того той том тому то треба у усі хто хоча це цей цього ці ця цю цієї чи чий чого чому що щоб як яка який яке якому якого
        якої якою яку якщо які яких якими`,
    },
  },
  {
    code: 'he',
    search: {
      stopWords: `אבל או אותה אותו אותם אותן אז איך אילו אין איפה איזה איזו אל אלה אלו אם אנו אנחנו אני אף אשר את אתה אתם באיזה בין בלי גם
        הוא היא היה היו היתה הייתה הם הן הנה זאת זה זו זהו יהיה יש כאן כאשר כבר כדי כי כל כמה כמו כן לא לאן להיות לו לי לך לכם למה למי לנו
        מאוד מאין מדוע מה מהו מהי מי מן מתי עד עוד על עם רק של שלה שלהם שלו שלי שלך שלנו שם`,
    },
  },
  {
    // Malay, too.
    code: 'id',
    search: {
      stopWords: `ada adalah agar akan anda antara apa apakah apabila atau bagaimana bagi bahwa belum berapa bila bisa bukan dalam dan dapat dari
        daripada dengan di dia dimana hanya harus hingga ia ini itu jika juga kalau kami kamu kapan karena ke kenapa kepada kita lebih
        maka mana masih mengapa mereka namun oleh pada para saat saja sampai saya sebagai sebuah secara sedang sehingga sejak seorang
        seperti serta setelah setiap siapa suatu sudah supaya tanpa telah tentang terhadap tersebut tetapi tidak untuk yaitu yang`,
    },
  },
  {
    code: 'fa',
    tells: { letters: 'پچژگکی' },
    search: {
      stopWords: `از است این آن آنها با باید بدون بر برای بسیار به بود بودن بوده بین پس تا تر ترین چرا چطور چقدر چگونه چند چه چیست چی خود خواهد در
        دارد دارند داشت داشته را روی شد شده شما شود شوند کجا کدام کرد کردن کرده کسی کند کنند کنید که کی ما مانند من می نمی نه نیز نیست ها
        های هایی هر هم همان همه هیچ و وقتی ولی وی یا یک آیا اگر اما او`,
    },
  },
  {
    code: 'sv',
    tells: { long: 'och att det som är för inte med av på den till har om ett eller från vi kan ska' },
    search: { stopWords: `hur många mycket vart vems` },
  },
  { code: 'da', search: { stopWords: `hvem hvilken hvilket hvilke hvorfor hvordan hvornår hvormange` } },
  { code: 'no', search: { stopWords: `når hvilket hvilke hvorfor` } },
  { code: 'fi', search: { stopWords: `miten milloin miksi kuinka paljon montako` } },
  { code: 'hu', tells: { letters: 'őű' } },
  {
    code: 'ro',
    requests: {
      hello: 'bună salut',
      courtesies: `
        (bună|salut|salutare|bun(a|ă) (ziua|seara|dimineața)|dragi~|dragă|stimat~)[ {whom}]
        [am |aș avea ](o|un) [mică ]*(întrebare|nelămurire)[ scurtă| rapidă| {whom}]
        (scuze|scuzați|scuzați-mă|îmi cer scuze|pardon|iertați)[ (dacă|că|pentru|de) {clause}], sper{clause}
        (mulțumesc|mersi|mulțumim|vă mulțumesc|îți mulțumesc)[ {rest}], [cu |toate ]*(respect|cele bune), o zi (bună|frumoasă|plăcută)[ {rest}], vă rog`,
      openings: `(știe|știți|știi) (cineva|cumva|careva), (poate|puteți|îmi puteți|îmi poate)[ cineva]* spune, aș vrea să (știu|întreb), vreau să știu`,
    },
    tells: { letters: 'ăţ' },
    search: {
      stopWords: `a fi fost era erau și în să cele cea cei cui câți câte câtă cât care căror când unde cum cine într dintr printr despre
        există s i își va vor după fel ani ar are numește numea trebuie`,
    },
  },
  {
    code: 'ru',
    documents: { abbreviations: 'стр тел г им' },
    tells: { letters: 'ыэ' },
    search: {
      stopWords: `сколько каком какие каким какое какого какому какую каких какими кого кому кем чему чём каков какова каково каковы
        который которая которое которые которого которой которых котором которую которым почему является являются называется
        называются называлась назывался находится находятся такое такие такая это эта эти быть будут были имеет могут может
        согласно также который либо`,
    },
  },
  {
    code: 'tr',
    requests: {
      hello: 'merhaba selam',
      courtesies: `
        [herkese |hepinize ](merhaba~|selam~|günaydın|iyi (günler|akşamlar|sabahlar|çalışmalar))[ {whom}]
        [{whom} ](bir|kısa|küçük|ufak)[ bir] (sorum|soru|şey)[ var| vardı| olacak][ {whom}]
        [{rest} ](kusura bakmayın|kusura bakma|özür dilerim|pardon|affedersiniz)[ ama| arkadaşlar], umarım{clause}
        [{whom} ](teşekkür~|sağ ol~|sağol~)[ {whom}], saygılar~, selamlar~, lütfen, acil`,
      openings: `(bilen|bilgisi olan) var mı, merak ediyorum, (öğrenmek|sormak) istiyorum`,
    },
    tells: {
      long: 've bir bu için ile olarak daha çok olan gibi kadar sonra ancak ise değil veya her en var',
      letters: 'ığ',
    },
    search: {
      stopWords: `nedir neydi nelerdir neyi neye neyin kaç kaçta kimdir kimdi kimin kimler kimlere hangisi hangileri zaman tür türü
        kadar bulunmaktadır vardır yapmıştır almıştır olmuştur edilmiştir etmiştir nereden neresi neresidir nelere neler mıdır
        midir mudur müdür mıydı miydi sonra önce arasında arasındaki üzerinde hakkında sırasında tane olan`,
      joinedEndings: `[y|n|s](ı|i|u|ü|a|e), [y|n|s|ı][ı|i|u|ü]n(ı|i|u|ü|a|e)[n], (d|t)(a|e)[n], (d|t)(a|e)ki~, n(d|t)(a|e)[n], [y]l(a|e),
      (ı|i|u|ü)n, (d|t)(ı|i|u|ü)r, l(a|e)r~, l(ı|i|u|ü)~, s(ı|i|u|ü)n~, c(a|e)`,
    },
  },
  { code: 'ar', tells: { letters: 'ةىإ' }, search: { stopWords: `كم متى ماذا لماذا كيف أية أيه يتم تم أنه أنها هل` } },
  {
    code: 'el',
    search: {
      stopWords: `το τη τησ τα τουσ τισ τι τησ των στα στουσ στισ ενα ενασ μια ενοσ μιασ ειναι ηταν εχει εχουν ειχε ειχαν ποσο ποσα ποσοι
        ποσεσ ποσουσ ποιον ποιαν ποιου ποιασ που ποτε πωσ γιατι οταν αυτη αυτον αυτου αυτησ μεταξυ μπορει μπορουν δεν οτι πιο
        μια μιασ ή επισησ οποιο οποια οποιοσ οποιοι υπαρχει υπαρχουν γινει γινεται`,
    },
  },
  {
    code: 'hi',
    search: {
      stopWords: `के में है का क्या की किस को था थी थे ने से हैं लिए कौन एक गया गई गए कब और कितने कितनी कितना कहाँ कहां किसने किसके किसकी
        किसका किन कैसे क्यों जाता जाती जाते करती किए दौरान बीच रूप कौनसी सा सी अधिक द्वारा हो गये होगा यहां वहां उन्होंने इन्होंने`,
    },
  },
  {
    code: 'vi',
    requests: {
      hello: 'chào',
      courtesies: `
        [xin ]chào[ {whom}], kính chào[ {whom}]
        [{whom} ](cho (mình|em|tôi)|(mình|em|tôi)|xin)[ muốn| xin| có| được]* (hỏi|câu hỏi)[ nhanh| chút| một chút][ {whom}]
        (xin lỗi|thứ lỗi)[ (nếu|vì|đã|cho|làm) {clause}| mọi người], [{whom} ](cảm ơn|cám ơn)[ {rest}], hy vọng{clause}, mong {rest}, trân trọng`,
      openings: `[có ]*ai biết, (mọi người|anh chị|các bạn|bạn) (có biết|cho hỏi|cho mình hỏi), cho (mình|em|tôi) hỏi, làm ơn cho (mình|tôi) biết`,
    },
    tells: { letters: String.raw`\u1ea0-\u1ef9ơưđ` },
    search: {
      stopWords: `nào gì của là được đã có trong các bao nhiêu khi ở ai một cho vào và những với để ra đến về từ không thế nhất tại cái
        đâu trên bị làm mà lại như này đó thì cũng rằng sẽ đang vì sao theo hay hoặc bởi do sau trước giữa ngoài dưới chưa hãy mấy
        rất nhưng nên bằng`,
    },
  },
  {
    code: 'th',
    search: {
      stopWords: `ใด ที่ ใน ของ การ อะไร เป็น มี ได้ ว่า คือ ให้ ใคร กับ จาก เมื่อ อยู่ ความ ขึ้น และ กี่ ถูก มา จะ ไม่ ไป อย่างไร เรียก เท่าไร เท่าไหร่ เท่าใด ซึ่ง
        โดย ไหน ด้วย ต้อง นี้ นั้น เพื่อ แล้ว หรือ แต่ ก็ คน สิ่ง แบบ อย่าง ทำไม เท่า บ้าง หรือไม่ ต่อ ตาม แห่ง ทํา ทำ ผู้ กัน`,
    },
  },
  {
    code: 'zh',
    // Simplified and traditional.
    search: {
      askingPairs: '什么 什麼 甚麼 多少 哪 谁 誰 如何 怎 吗 嗎 呢 是否 为什 為什 么时 麼時',
      grammar: '的了是在和与與及或也都而被把从從到对對于於之其这這那些个個有为為以等何几幾么麼',
    },
  },
  { code: 'ja', documents: { headingStyles: '見出し' } },
]
