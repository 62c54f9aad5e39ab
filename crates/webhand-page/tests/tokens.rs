//! The bound on tokens, held against o200k itself.

#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

use proptest::prelude::*;
use tiktoken_rs::CoreBPE;
use webhand_page::token_bound;

static O200K: LazyLock<CoreBPE> = LazyLock::new(|| tiktoken_rs::o200k_base().unwrap());

fn tokens(text: &str) -> u32 {
    u32::try_from(O200K.encode_ordinary(text).len()).unwrap()
}

/// Ordinary text of pages: language, text, and by how much the bound may be too high.
const TEXTS: &[(&str, &str, f64)] = &[
    (
        "English",
        "Your order has been placed and will be shipped within two days. Add to basket. Sign in to see your saved items. \
         Showing 1 to 24 of 318 results, sorted by price. Free delivery on orders over £40. Forgot your password? \
         Please choose a size before you continue. Search the catalogue, filter by colour, compare products.",
        1.35,
    ),
    (
        "an outline",
        "page \"Orders\" http://shop.example/orders\nmain:\n# Orders\nC4 | L5 \"Order 17\" | Ann | open | B6 \"Cancel\"\n\
         I7 \"Search\" hint \"number or name\" focused required\nS8 \"Country\" =\"Germany\" of 240\n--- below the view ---\n\
         B9 \"Start a chat\" covered by D4\n… 412 more rows, 1236 controls\n",
        1.35,
    ),
    (
        "German",
        "Ihre Bestellung ist eingegangen und wird innerhalb von zwei Tagen versandt. In den Warenkorb legen. Bitte wählen \
         Sie eine Größe aus, bevor Sie fortfahren. Passwort vergessen? Kostenlose Lieferung ab 40 Euro Bestellwert. \
         Benachrichtigungseinstellungen, Datenschutzerklärung, Widerrufsbelehrung.",
        1.9,
    ),
    (
        "French",
        "Votre commande a été enregistrée et sera expédiée sous deux jours. Ajouter au panier. Veuillez choisir une taille \
         avant de continuer. Mot de passe oublié ? Livraison gratuite à partir de 40 euros d'achat.",
        1.9,
    ),
    (
        "Spanish",
        "Su pedido se ha realizado y se enviará en dos días. Añadir a la cesta. Elija una talla antes de continuar. ¿Ha \
         olvidado su contraseña? Envío gratuito a partir de 40 euros.",
        1.9,
    ),
    (
        "Polish",
        "Twoje zamówienie zostało złożone i zostanie wysłane w ciągu dwóch dni. Dodaj do koszyka. Wybierz rozmiar, zanim \
         przejdziesz dalej. Nie pamiętasz hasła?",
        1.9,
    ),
    (
        "Finnish",
        "Tilauksesi on vastaanotettu ja se lähetetään kahden päivän kuluessa. Lisää ostoskoriin. Valitse koko ennen kuin \
         jatkat. Unohditko salasanasi?",
        1.9,
    ),
    ("Russian", "Ваш заказ принят и будет отправлен в течение двух дней. Добавить в корзину. Забыли пароль?", 2.2),
    ("Greek", "Η παραγγελία σας καταχωρήθηκε και θα αποσταλεί σε δύο ημέρες. Προσθήκη στο καλάθι.", 2.0),
    ("Arabic", "تم استلام طلبك وسيتم شحنه خلال يومين. أضف إلى السلة. هل نسيت كلمة المرور؟", 2.2),
    ("Hindi", "आपका ऑर्डर प्राप्त हो गया है और दो दिनों में भेज दिया जाएगा। कार्ट में जोड़ें।", 2.2),
    ("Chinese", "您的订单已提交,将在两天内发货。加入购物车。请先选择尺码再继续。忘记密码?满四十元免运费。", 2.0),
    ("Japanese", "ご注文を承りました。二日以内に発送いたします。カートに入れる。パスワードをお忘れですか?", 2.0),
    ("Korean", "주문이 접수되었으며 이틀 안에 발송됩니다. 장바구니에 담기. 비밀번호를 잊으셨나요?", 2.2),
    ("Vietnamese", "Đơn hàng của bạn đã được đặt và sẽ được gửi trong hai ngày. Thêm vào giỏ hàng.", 2.4),
    (
        "codes",
        "SKU-20391-XL 4f3c9a7be1d2 a1B2c3D4 https://shop.example/p/20391?ref=home&utm_source=mail 2026-11-30T09:07:22Z \
         +49 30 1234567 AGB GmbH & Co. KG 12,99 € (-20 %) ★★★★☆ ✓ © 2026",
        1.6,
    ),
];

#[test]
fn ordinary_text_stays_within_the_bound_and_not_far_below() {
    for (language, text, most) in TEXTS {
        let (real, bound) = (tokens(text), token_bound(text));
        assert!(real <= bound, "{language}: {real} tokens, bound {bound}");
        assert!(f64::from(bound) <= f64::from(real) * most, "{language}: {real} tokens, bound {bound}");
    }
}

#[test]
fn odd_texts_do_not_upset_it() {
    for (text, most) in [("", 0), (" ", 1), ("\n\n", 2), ("é", 1), ("a", 1), ("1234567", 3)] {
        assert!(tokens(text) <= token_bound(text) && token_bound(text) <= most, "{text:?} {}", token_bound(text));
    }
    assert!(token_bound(&"a".repeat(100_000)) >= tokens(&"a".repeat(2_000)) * 50);
    assert!(token_bound(&"🙂".repeat(100)) >= tokens(&"🙂".repeat(100)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_text_stays_within_the_bound(
        text in prop_oneof![
            "([a-z]{2,12} ){40,60}",
            "([A-Z][a-z]{1,9} ){40,60}",
            "([A-Z]{2,9} ){40,60}",
            "([0-9a-f]{8,16} ){30,40}",
            "[A-Za-z0-9+/]{300,400}",
            "([0-9]{1,6}[ ,.:-]){60,80}",
            "[!-/:-@\\[-`{-~ ]{200,300}",
            "([B-X][0-9]{1,4} \"[a-z]{2,9} [a-z]{2,9}\"\n){20,30}",
        ]
    ) {
        let (real, bound) = (tokens(&text), token_bound(&text));
        prop_assert!(real <= bound, "{real} tokens, bound {bound}: {text:?}");
    }
}

#[test]
fn with_a_real_tokenizer_a_text_uses_its_limit_and_never_goes_over_it() {
    use webhand_page::{FormatOptions, Json, List, Outline, Snapshot, SnapshotFormat, Table, Tokenizer};
    let node = |name: String, number: u32| {
        serde_json::json!({
            "depth": 0, "frame": 0, "role": "link", "name": name, "level": null, "in_view": number < 40,
            "control": { "ref": format!("L{number}"), "new": false, "tag": "a", "kind": null, "rect": [0.0, 0.0, 9.0, 9.0],
                "attributes": {}, "item": 0, "guessed_name": false, "state": {} },
        })
    };
    let nodes: Vec<_> = (1..900).map(|number| node(format!("Bestellung Nummer {number} vom März"), number)).collect();
    let mut page = serde_json::to_value(Snapshot::default()).unwrap();
    page["nodes"] = nodes.into();
    let page: Snapshot = serde_json::from_value(page).unwrap();
    for format in [&Outline as &dyn SnapshotFormat, &List, &Table, &Json] {
        for limit in [300, 2000, 5000] {
            let mut options = FormatOptions::default();
            options.max_tokens = limit;
            let plain = tokens(&format.write(&page, &options));
            options.tokenizer = Some(Tokenizer::new("o200k", |text| O200K.encode_ordinary(text).len()));
            let text = format.write(&page, &options);
            let exact = tokens(&text);
            assert!(exact <= limit, "{} {limit}: {exact}", format.name());
            assert!(
                exact >= plain && f64::from(exact) >= 0.85 * f64::from(limit),
                "{} {limit}: {exact}, {plain}",
                format.name()
            );
            assert_eq!(text, format.write(&page, &options), "same input, same bytes");
        }
    }
}
