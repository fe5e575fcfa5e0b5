/**
 * Further stop words by ISO 639-1 code, as texts: question words, auxiliaries and forms that the lists of the package
 * lack, since those are made for documents. In a question such words would look rare and so telling.
 */
export const MORE_STOP_WORDS: Readonly<Record<string, string>> = {
  en: `a us would could should shall may might must please tell also many much within among since per via however thus
    done made want wants wanted need needs`,
  de: `bitte wurde wurden wird werden gibt welche welcher welches wieviel wieviele wer wann warum viele wen wem wessen
    wofür womit wodurch woran worin wovon woher wohin wieso weshalb inwiefern dass beim möchte möchten brauche`,
  fr: `quand où comment pourquoi combien quoi lequel laquelle lesquels lesquelles est-ce fait faire peut peuvent doit
    doivent plus comme aussi si y été`,
  es: `qué quién quiénes`,
  it: `cosa quando quali sono stato stata stati state viene vengono può possono deve devono essere fare dopo prima fra`,
  pt: `quais quanto quanta quantos quantas onde porque porquê pode podem deve devem`,
  nl: `welk welke waar wanneer waarom hoeveel waarmee waarvan kunt mag moeten`,
  sv: `hur många mycket vart vems`,
  da: `hvem hvilken hvilket hvilke hvorfor hvordan hvornår hvormange`,
  no: `når hvilket hvilke hvorfor`,
  fi: `miten milloin miksi kuinka paljon montako`,
  ro: `a fi fost era erau și în să cele cea cei cui câți câte câtă cât care căror când unde cum cine într dintr printr despre
    există s i își va vor după fel ani ar are numește numea trebuie`,
  ru: `сколько каком какие каким какое какого какому какую каких какими кого кому кем чему чём каков какова каково каковы
    который которая которое которые которого которой которых котором которую которым почему является являются называется
    называются называлась назывался находится находятся такое такие такая это эта эти быть будут были имеет могут может
    согласно также который либо`,
  tr: `nedir neydi nelerdir neyi neye neyin kaç kaçta kimdir kimdi kimin kimler kimlere hangisi hangileri zaman tür türü
    kadar bulunmaktadır vardır yapmıştır almıştır olmuştur edilmiştir etmiştir nereden neresi neresidir nelere neler mıdır
    midir mudur müdür mıydı miydi sonra önce arasında arasındaki üzerinde hakkında sırasında tane olan`,
  ar: `كم متى ماذا لماذا كيف أية أيه يتم تم أنه أنها هل`,
  el: `το τη τησ τα τουσ τισ τι τησ των στα στουσ στισ ενα ενασ μια ενοσ μιασ ειναι ηταν εχει εχουν ειχε ειχαν ποσο ποσα ποσοι
    ποσεσ ποσουσ ποιον ποιαν ποιου ποιασ που ποτε πωσ γιατι οταν αυτη αυτον αυτου αυτησ μεταξυ μπορει μπορουν δεν οτι πιο
    μια μιασ ή επισησ οποιο οποια οποιοσ οποιοι υπαρχει υπαρχουν γινει γινεται`,
  hi: `के में है का क्या की किस को था थी थे ने से हैं लिए कौन एक गया गई गए कब और कितने कितनी कितना कहाँ कहां किसने किसके किसकी
    किसका किन कैसे क्यों जाता जाती जाते करती किए दौरान बीच रूप कौनसी सा सी अधिक द्वारा हो गये होगा यहां वहां उन्होंने इन्होंने`,
  vi: `nào gì của là được đã có trong các bao nhiêu khi ở ai một cho vào và những với để ra đến về từ không thế nhất tại cái
    đâu trên bị làm mà lại như này đó thì cũng rằng sẽ đang vì sao theo hay hoặc bởi do sau trước giữa ngoài dưới chưa hãy mấy
    rất nhưng nên bằng`,
  th: `ใด ที่ ใน ของ การ อะไร เป็น มี ได้ ว่า คือ ให้ ใคร กับ จาก เมื่อ อยู่ ความ ขึ้น และ กี่ ถูก มา จะ ไม่ ไป อย่างไร เรียก เท่าไร เท่าไหร่ เท่าใด ซึ่ง
    โดย ไหน ด้วย ต้อง นี้ นั้น เพื่อ แล้ว หรือ แต่ ก็ คน สิ่ง แบบ อย่าง ทำไม เท่า บ้าง หรือไม่ ต่อ ตาม แห่ง ทํา ทำ ผู้ กัน`,
}
